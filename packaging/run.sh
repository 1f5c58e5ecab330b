#!/bin/bash
# Installs what is missing, builds, and starts Sinoscope on a simulated scan.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: packaging/run.sh [--headless] [SCAN] [OPTION…]

Installs the distribution's packages that are missing, builds Sinoscope into build/release and
starts it on a simulated scan, or on the SCAN given. Without a display (or with --headless) the
sample is reconstructed with several settings instead, and a report is written to
sinoscope-report/: images, differences, profiles, and a table of speed and errors.

  --headless   write the report even where there is a display
  --help       this text; "packaging/run.sh -- --help" shows the program's own options

Everything else is passed on to the program, for example:
  packaging/run.sh tooth.h5
  packaging/run.sh tooth.h5 --method cpu --interpolation cubic

The first run takes some minutes, later ones seconds. packaging/test.sh runs the tests.
TEXT
}

headless=0
arguments=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --headless) headless=1 ;;
    --) shift; arguments+=("$@"); break ;;
    *) arguments+=("$1") ;;
    esac
    shift
done

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || headless=1
groups=(engine window)
# Under Wayland without XWayland, Qt needs its own plug-in.
[ -z "${WAYLAND_DISPLAY:-}" ] || [ -n "${DISPLAY:-}" ] || groups+=(wayland)

install_packages "${groups[@]}"
build release

program=$root/build/release/bin/sinoscope
if [ $headless -eq 1 ]; then
    report=$PWD/sinoscope-report
    say "Writing a report to $report"
    # A place for sockets, which Qt asks for and a bare session lacks; it is not used.
    [ -n "${XDG_RUNTIME_DIR:-}" ] || { XDG_RUNTIME_DIR=$(mktemp -d); export XDG_RUNTIME_DIR; trap 'rmdir "$XDG_RUNTIME_DIR"' EXIT; }
    QT_QPA_PLATFORM=offscreen "$program" --report "$report" "${arguments[@]}"
else
    say "Starting Sinoscope"
    exec "$program" "${arguments[@]}"
fi
