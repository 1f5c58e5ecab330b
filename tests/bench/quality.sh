#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures the loss of quality caused by half precision, by interpolations and by the weights of the texture unit. The
# reference of every setting is linear interpolation in float by the arithmetic units, as in Chilingaryan et al. (2018;
# 2020, Figs 7, 8, 18, 19).
# Usage: tests/bench/quality.sh PROGRAM FOLDER [DATA]   PROGRAM: sinoscope-cli; DEVICE=cuda (default) or cpu.
# Scans: the 1024² Shepp-Logan from 1024 projections, and a slice of each scan available in DATA (../shared/data).
# Writes FOLDER/tables.md, and for each scan a profile along the middle row and one through details as FOLDER/*.csv.
set -euo pipefail
export LC_ALL=C

program=$1 folder=$2 data=${3:-$(dirname "$0")/../../../shared/data}
device=${DEVICE:-cuda}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"

if [ "$device" = cuda ]; then full=alu unit=texture; else full=cpu unit=cpu; fi
settings=("$full linear half" "$full nearest float" "$full oversampled:4 float" "$full cubic float")
[ $unit = $full ] || settings+=("$unit linear float" "$unit linear half")
settings+=("exact linear float")

field() { sed -n 's/^ *"'"$1"'": "\{0,1\}\([^",]*\).*/\1/p' "$2" | head -1; }
share() { awk -v value="$1" -v range="$2" 'BEGIN {printf "%.2e", value / range}'; }

# measure NAME LINE SCAN [OPTION…]: LINE as for sinoscope-cli compare.
measure() {
    local name=$1 line=$2 scan=$3 options=("${@:4}") setting range part along heading=position,reference
    reconstruct() { # OUTPUT METHOD INTERPOLATION PRECISION
        "$program" reconstruct "$scan" "${options[@]}" --output "$1" --overwrite --method "$2" --interpolation "$3" \
            --precision "$4" --json "$work/made.json" >/dev/null
    }
    reconstruct "$work/reference.tif" "$full" linear float
    made_on=$(field device "$work/made.json")
    rm -f "$work"/{row,detail}.csv
    for setting in "${settings[@]}"; do
        # shellcheck disable=SC2086
        reconstruct "$work/a.tif" $setting
        for part in row detail; do # columns of the profile: position, image, reference, difference
            along=()
            [ $part = row ] || along=(--line "$line")
            "$program" compare "$work/a.tif" "$work/reference.tif" --disc 0.9 --profile "$work/one.csv" "${along[@]}" \
                --overwrite --json "$work/metrics.json" >/dev/null
            range=$(field referenceRange "$work/metrics.json")
            awk -F, -v range="$range" 'NR > 1 {printf "%.3g\n", 1e6 * $4 / range}' "$work/one.csv" >"$work/difference"
            [ -e "$work/$part.csv" ] || sed 1d "$work/one.csv" | cut -d, -f1,3 >"$work/$part.csv"
            paste -d, "$work/$part.csv" "$work/difference" >"$work/joined"
            mv "$work/joined" "$work/$part.csv"
        done
        heading+=,$setting
        rows+=("| $name | $setting | $(share "$(field rmse "$work/metrics.json")" "$range") |\
 $(share "$(field maximum "$work/metrics.json")" "$range") | $(printf '%.1f | %.6f' "$(field psnrDb "$work/metrics.json")" "$(field ssim "$work/metrics.json")") |")
    done
    for part in row detail; do
        { echo "$heading"; cat "$work/$part.csv"; } >"$folder/$name-$part.csv"
    done
    lines+=("- $name: $line")
}

# real NAME FILE LINE SCAN [OPTION…]: measures the scan if FILE exists.
real() {
    if [ -e "$data/$2" ]; then
        measure "$1" "${@:3}"
    else
        echo "SKIPPED: $1, no $data/$2" | tee /dev/stderr >>"$work/skipped"
    fi
}

rows=() lines=()
"$program" phantom shepp-logan --size 1024 --projections 1024 --output "$work/phantom.h5" >/dev/null
measure shepp-logan-1024 409,821,615,821 "$work/phantom.h5" --slice 0
# The first and last ten lines of the angles' file belong to darks and flats.
[ ! -e "$data/i13-24737-tiff/angles.txt" ] || sed -n 11,101p "$data/i13-24737-tiff/angles.txt" >"$work/angles.txt"
real tooth tooth-dxchange/tooth.h5 278,200,278,480 "$data/tooth-dxchange/tooth.h5" --slice 0
real i13 i13-24737-tiff/tiffs 67,55,67,90 "$data/i13-24737-tiff/tiffs" --angles "$work/angles.txt" --slice 67
real neutron neutron-360-sinogram/sinogram_360_neutron_image.tif 173,140,173,330 \
    "$data/neutron-360-sinogram/sinogram_360_neutron_image.tif" --sinogram --angles 0:360 --slice 0
# This scan is cropped to 26 bins; its axis cannot be found in them.
real k11 k11-nexus-links/k11-18014.nxs 13,0,13,25 "$data/k11-nexus-links/k11-18014.nxs" --axis middle --slice 11

{
    cat <<TEXT
# Quality of the settings, $made_on
$(date +%F), made by \`DEVICE=$device tests/bench/quality.sh sinoscope-cli FOLDER DATA\`. Each setting against \`$full linear
float\`, inside a disc of 0.9 of the image's half width; RMSE and maximum relative to the reference's range in that
disc. \`exact\` is double precision on the processor. The CSV files hold profiles along the middle row and along a line
through details: the reference, and the differences of the settings from it in millionths of that range. The lines
(columns and rows of both ends, from the centre of the top left pixel):

$(printf '%s\n' "${lines[@]}")

| scan | setting | RMSE | maximum | PSNR / dB | SSIM |
| --- | --- | --- | --- | --- | --- |
$(printf '%s\n' "${rows[@]}")
TEXT
    [ ! -e "$work/skipped" ] || { echo; cat "$work/skipped"; }
} >"$folder/tables.md"
