#!/bin/bash
# What half data, interpolations and the texture unit's weights cost in quality: every setting against
# linear float by the arithmetic units, as papers 000 (Figs 7, 8, 18, 19) and 001 compare them.
# Usage: tests/bench/quality.sh PROGRAM OUTPUT.json [SCAN…]   PROGRAM: sinoscope-cli; DEVICE=cuda or cpu.
# The 1024² Shepp-Logan from 1024 projections, and a slice of each scan given.
set -euo pipefail

program=$1 output=$2
shift 2
device=${DEVICE:-cuda}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$device" = cuda ]; then full=alu unit=texture; else full=cpu unit=cpu; fi
settings=(
    "$full linear half" "$full nearest float" "$full oversampled:4 float" "$full cubic float"
    "$unit linear float" "$unit linear half"
)

rows=()
measure() { # NAME SCAN
    "$program" reconstruct "$2" --slice 0 --output "$work/reference.tif" --overwrite --method "$full" >/dev/null
    local setting
    for setting in "${settings[@]}"; do
        read -r method interpolation precision <<<"$setting"
        "$program" reconstruct "$2" --slice 0 --output "$work/a.tif" --overwrite --method "$method" \
            --interpolation "$interpolation" --precision "$precision" >/dev/null
        rows+=("    {\"scan\": \"$1\", \"method\": \"$method\", \"interpolation\": \"$interpolation\", \"precision\": \"$precision\",
     \"againstLinearFloat\": $("$program" compare "$work/a.tif" "$work/reference.tif" --disc 0.9 --json - | tr -d '\n')}")
    done
}

"$program" phantom shepp-logan --size 1024 --projections 1024 --output "$work/phantom.h5" >/dev/null
measure "Shepp-Logan 1024², 1024 projections" "$work/phantom.h5"
for scan in "$@"; do measure "$(basename "$scan")" "$scan"; done

{
    printf '{\n  "command": "DEVICE=%s tests/bench/quality.sh sinoscope-cli FILE SCAN…",\n  "date": "%s",\n  "rows": [\n' \
        "$device" "$(date +%F)"
    for i in "${!rows[@]}"; do
        printf '%s' "${rows[$i]}"
        [ "$i" -lt $((${#rows[@]} - 1)) ] && printf ','
        printf '\n'
    done
    printf '  ]\n}\n'
} >"$output"
