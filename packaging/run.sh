#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs missing packages, builds, and starts Sinoscope on a simulated scan.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: packaging/run.sh [--headless] [--cuda] [SCAN] [OPTION…]

Installs the distribution's packages that are missing, builds the window and the command line into
build/release/bin, and starts the window on a simulated scan, or on the SCAN given. Without a display
(or with --headless) the sample is reconstructed with several settings instead, and a report is
written to sinoscope-report/: images, differences, profiles, and a table of speed and errors.

  --headless   write the report even where there is a display
  --cuda       build for NVIDIA GPUs even if this machine has none; the environment variable CUDAARCHS
               sets the architectures, such as 90-real; default: Turing to Blackwell, which takes many
               minutes
  --help       this text; "packaging/run.sh -- --help" shows the program's own options

Everything else is passed on to the program, for example:
  packaging/run.sh tooth.h5
  packaging/run.sh tooth.h5 --method cpu --interpolation cubic

Where a GPU and a CUDA toolkit are found, both are used automatically. The first run takes
some minutes, later ones seconds. packaging/test.sh builds the tests too, and runs them.
TEXT
}

headless=0
options=()
arguments=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --headless) headless=1 ;;
    --cuda) options=(-DSINOSCOPE_CUDA=ON -DSINOSCOPE_TUNINGS=ON) ;;
    --) shift; arguments+=("$@"); break ;;
    *) arguments+=("$1") ;;
    esac
    shift
done

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || headless=1
groups=(window)
# On Wayland without XWayland, Qt needs its Wayland plug-in.
[ -z "${WAYLAND_DISPLAY:-}" ] || [ -n "${DISPLAY:-}" ] || groups+=(wayland)

steps=4
say "packages"
install_and_begin release "${groups[@]}" "${options[@]}"
if [ ${#options[@]} -gt 0 ] && is_cached "$root/build/release" "SINOSCOPE_CUDA:[A-Z]*=ON" &&
    is_cached "$root/build/release" "SINOSCOPE_TUNINGS:[A-Z]*=ON"; then options=(); fi
targets=(sinoscope sinoscope-cli) # as the text above says
build release "${options[@]}"

program=$root/build/release/bin/sinoscope
if [ $headless -eq 1 ]; then
    report=$PWD/sinoscope-report
    say "writing a report to $report"
    # A folder for sockets: Qt requires one, and a bare session lacks it. It stays empty.
    [ -n "${XDG_RUNTIME_DIR:-}" ] || { XDG_RUNTIME_DIR=$(mktemp -d); export XDG_RUNTIME_DIR; trap 'rmdir "$XDG_RUNTIME_DIR"' EXIT; }
    QT_QPA_PLATFORM=offscreen "$program" --report "$report" "${arguments[@]}"
else
    say "starting"
    exec "$program" "${arguments[@]}"
fi
