#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs missing packages, builds the programs, and installs them into a folder.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: packaging/install.sh [--cuda] FOLDER

Installs the distribution's packages that are missing, builds Sinoscope into build/release and installs
the window and the command line into FOLDER, with the libraries that they need. The folder can be moved.

  --cuda   build for NVIDIA GPUs even if this machine has none; the environment variable CUDAARCHS sets
           the architectures, such as 90-real; default: Turing to Blackwell, which takes many minutes
  --help   this text
TEXT
}

options=()
folder=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --cuda) options=(-DSINOSCOPE_CUDA=ON -DSINOSCOPE_TUNINGS=ON) ;;
    -*) echo "packaging/install.sh: unknown option '$1'; see --help" >&2; exit 2 ;;
    *) [ -z "$folder" ] || { echo "packaging/install.sh: one folder, please; see --help" >&2; exit 2; }; folder=$1 ;;
    esac
    shift
done
[ -n "$folder" ] || { usage >&2; exit 2; }
# A relative path refers to the caller's current folder, not to the source folder.
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

preset=${SINOSCOPE_PRESET:-release} # .ci/run sets it
steps=4
say "packages"
install_and_begin "$preset" window "${options[@]}"
if [ ${#options[@]} -gt 0 ] && is_cached "$root/build/$preset" "SINOSCOPE_CUDA:[A-Z]*=ON" &&
    is_cached "$root/build/$preset" "SINOSCOPE_TUNINGS:[A-Z]*=ON"; then options=(); fi
targets=(programs)
build "$preset" "${options[@]}"
say "installing into $folder"
output=$(cmake --install "$root/build/$preset" --prefix "$folder" 2>&1) ||
    { printf '%s\n' "$output"; fail "The programs could not be installed; see above."; }
note "Start $folder/bin/sinoscope, or $folder/bin/sinoscope-cli --help"
