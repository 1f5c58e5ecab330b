#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Renews the pictures of the window in the README and in the manual, from the built program, a scan of a tooth
# (TomoBank) and a sample. Needs Xvfb, xdotool and ImageMagick.
set -euo pipefail

if [ $# -ne 1 ] || [ "$1" = --help ] || [ "$1" = -h ]; then
    echo "Usage: packaging/write_pictures.sh TOOTH.h5"
    exit 0
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$root/build/release/bin/sinoscope
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/runtime"
export XDG_RUNTIME_DIR=$scratch/runtime LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb

# keep FILE: reduces the screenshot to 256 colours.
keep() {
    convert "$scratch/window.png" -colors 256 "PNG8:$1"
}

# sample_picture NAME "OPTIONS" XDOTOOL-COMMAND…: the window started with these options, after these keys and clicks.
sample_picture() {
    local name=$1 options=$2
    shift 2
    XDG_CONFIG_HOME=$scratch/$name xvfb-run -a -s "-screen 0 1280x800x24 -noreset" bash -c '
        program=$1 picture=$2 options=$3
        shift 3
        "$program" --theme light --method cpu $options &
        sleep 8
        window=$(xdotool search --onlyvisible --pid $! | tail -1)
        xdotool windowsize "$window" 1280 800 windowmove "$window" 0 0 windowfocus "$window"
        sleep 3
        [ $# -eq 0 ] || xdotool "$@"
        sleep 4
        import -window root "$picture"
        kill $!' _ "$program" "$scratch/window.png" "$options" "$@"
    keep "$root/resources/manual/pictures/$name.png"
}

cp "$1" "$scratch/tooth.h5" # its name is in the picture
export XDG_CONFIG_HOME=$scratch/config
xvfb-run -a -s "-screen 0 1920x1200x24 -noreset" "$program" "$scratch/tooth.h5" --rings all --theme light \
    --compare cpu,linear,half --window-size 1280x800 --screenshot "$scratch/window.png"
keep "$root/packaging/screenshots/window-light.png"

xvfb-run -a -s "-screen 0 1920x1200x24 -noreset" "$program" --sample noisy --theme light --window-size 1280x800 \
    --screenshot "$scratch/window.png"
keep "$root/resources/manual/pictures/tutorial-image.png"
two="--sample noisy --precision half --compare cpu,linear,float"
sample_picture tutorial-all "$two" mousemove 780 300 click 1 key 2
sample_picture tutorial-numbers "$two" mousemove 388 690 click 1
sample_picture planes "--sample cone" mousemove 428 63 click 1 sleep 4 mousemove 546 404 mousedown 1 mousemove 600 390 mousemove 620 380 mouseup 1
