#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Renews the picture of the window in the README, from the built program and a scan of a tooth (TomoBank). Needs Xvfb and
# ImageMagick.
set -euo pipefail

if [ $# -ne 1 ] || [ "$1" = --help ] || [ "$1" = -h ]; then
    echo "Usage: packaging/write_pictures.sh TOOTH.h5"
    exit 0
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/runtime"
cp "$1" "$scratch/tooth.h5" # its name is in the picture
XDG_RUNTIME_DIR=$scratch/runtime LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1920x1200x24 -noreset" \
    "$root/build/release/bin/sinoscope" "$scratch/tooth.h5" --rings all --theme light --compare cpu,linear,half \
    --window-size 1280x800 --screenshot "$scratch/window.png"
convert "$scratch/window.png" -colors 256 "PNG8:$root/packaging/screenshots/window-light.png"
