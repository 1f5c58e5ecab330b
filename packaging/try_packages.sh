#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs and starts each package in a root of its own that has no build tools, as a user's machine.
set -euo pipefail

if [ $# -lt 1 ] || [ "$1" = --help ] || [ "$1" = -h ]; then
    cat <<'TEXT'
Usage: packaging/try_packages.sh FOLDER [PICTURES]

Tries the packages that packaging/release.sh wrote into FOLDER, one kind after the other: makes a minimal
root of this distribution with mmdebstrap, installs the package and what it depends on, reconstructs a
simulated scan and an own one, and starts the window in a virtual display. Pictures of the window go to
PICTURES (default: FOLDER/pictures). Needs root and the network. The exit status is 1 if any package failed.
TEXT
    exit 0
fi
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
[ "$(id -u)" -eq 0 ] || fail "packaging/try_packages.sh needs root, to make a root of its own"
# What is mounted below is seen by this script alone, and ends with it.
if [ -z "${SINOSCOPE_UNSHARED:-}" ]; then
    SINOSCOPE_UNSHARED=1 exec unshare --mount --propagation private "${BASH_SOURCE[0]}" "$@"
fi
packages=$(cd "$1" && pwd)
pictures=${2:-$packages/pictures}
mkdir -p "$pictures"
pictures=$(cd "$pictures" && pwd)
command -v mmdebstrap >/dev/null || apt-get install -y -qq --no-install-recommends mmdebstrap xvfb xauth >/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

work=$(mktemp -d)
# Only /proc is mounted in the roots: a folder of this machine would be emptied together with them.
cleanup() {
    local at
    for at in "$work"/*/proc; do umount "$at" 2>/dev/null || true; done
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT

say "a root of $suite without build tools"
cat /etc/apt/sources.list.d/*.sources 2>/dev/null | mmdebstrap --quiet --variant=apt "$suite" "$work/base.tar" - ||
    fail "The root could not be made; see above."

# fresh_root NAME: unpacks the root into $work/NAME, and sets $there to it.
fresh_root() {
    there=$work/$1
    mkdir "$there"
    tar -x -C "$there" -f "$work/base.tar"
    cp /etc/resolv.conf "$there/etc/resolv.conf"
    cp /etc/apt/apt.conf.d/* "$there/etc/apt/apt.conf.d/" 2>/dev/null || true
    mount -t proc proc "$there/proc"
    mkdir "$there/packages"
    cp "$packages"/*.* "$there/packages"
    ! inside 'command -v gcc cc make cmake' || fail "The root has build tools"
}

inside() { chroot "$there" /usr/bin/env -i PATH=/usr/bin:/usr/sbin:/bin:/sbin HOME=/root LC_ALL=C.UTF-8 ${DISPLAY:+DISPLAY=$DISPLAY} LIBGL_ALWAYS_SOFTWARE=1 DEBIAN_FRONTEND=noninteractive bash -c "$1"; }

failures=0
# attempt KIND COMMAND…: runs a function and reports its outcome and duration.
attempt() {
    local kind=$1 started=$SECONDS
    shift
    say "$kind"
    if ("$@"); then
        note "passed  $kind, $((SECONDS - started)) s"
    else
        note "FAILED  $kind"
        failures=$((failures + 1))
    fi
}

# try_programs BIN NAME: a scan to a slice on the command line, and the window on that scan, with a picture.
try_programs() {
    local started=$SECONDS
    inside "set -e; cd /root; $1/sinoscope-cli --version | head -1
        $1/sinoscope-cli phantom shepp-logan --size 256 --projections 360 --output head.h5
        $1/sinoscope-cli reconstruct head.h5 --output head.tif && test -s head.tif
        $1/sinoscope-cli verify --methods double | tail -1" || return 1
    [ -n "$2" ] || return 0
    note "command line: $((SECONDS - started)) s"
    started=$SECONDS
    inside "cd /root; mkdir -m 700 -p run; XDG_RUNTIME_DIR=/root/run QT_QPA_PLATFORM=xcb $1/sinoscope head.h5 --screenshot window.png" || return 1
    cp "$there/root/window.png" "$pictures/$2.png" && note "window: $((SECONDS - started)) s, picture $pictures/$2.png"
}

archive() {
    fresh_root "$1"
    # What every desktop has, and the bundle leaves to the system.
    inside "apt-get update -qq && apt-get install -y -qq --no-install-recommends libgl1 libegl1 libopengl0 libgl1-mesa-dri libx11-6 libx11-xcb1 libxcb1 libxext6 fontconfig-config fonts-dejavu-core >/dev/null" || return 1
    if [ "$1" = archive ]; then
        inside "tar -xzf /packages/sinoscope-*.tar.gz -C /opt" || return 1
    else
        inside "sh /packages/sinoscope-*.run /opt >/dev/null" || return 1
        ! inside "sh /packages/sinoscope-*.run /opt 2>/dev/null" || return 1 # never over what is there
    fi
    inside "mv /opt/sinoscope-* '/opt/moved here' && ls '/opt/moved here/share/doc/Sinoscope/licences' | wc -l && ln -s '/opt/moved here' /opt/sinoscope" || return 1
    try_programs /opt/sinoscope/bin "$1"
}

debs() {
    fresh_root debs
    inside "apt-get update -qq && apt-get install -y -qq --no-install-recommends /packages/sinoscope-cli_*.deb >/dev/null" || return 1
    ! inside "command -v sinoscope" || return 1
    try_programs /usr/bin "" || return 1
    inside "rm /root/head.*; apt-get install -y -qq --no-install-recommends /packages/sinoscope_*.deb libgl1-mesa-dri fonts-dejavu-core shared-mime-info >/dev/null" || return 1
    try_programs /usr/bin debs || return 1
    inside "grep -q 'x-sinoscope-session' /usr/share/mime/globs" || { echo "the type of sessions isn't known"; return 1; }
    if ls "$packages"/sinoscope-mpi_*.deb >/dev/null 2>&1; then
        inside "apt-get install -y -qq --no-install-recommends /packages/sinoscope-mpi_*.deb openmpi-bin >/dev/null &&
            cd /root && mpirun --allow-run-as-root --oversubscribe -np 2 sinoscope-mpi reconstruct head.h5 --output volume.h5 && test -s volume.h5" || return 1
    fi
    inside "apt-get install -y -qq --no-install-recommends /packages/python3-sinoscope_*.deb >/dev/null" || return 1
    try_python /usr/bin/python3 || return 1
    inside "apt-get remove -y -qq python3-sinoscope >/dev/null && ! test -e /usr/lib/python3/dist-packages/sinoscope" || { echo "the Python package leaves files"; return 1; }
    inside "apt-get remove -y -qq sinoscope-cli >/dev/null && ! command -v sinoscope && test -s /root/head.tif"
}

# try_python PYTHON: the tests of the Python package, which compare with known images.
try_python() {
    cp -r "$root/tests/python" "$root/resources/manual/python.ipynb" "$there/root/"
    inside "cd /root && $1 python/package_test.py >said 2>&1; grep -A20 -e '^FAIL:' -e '^ERROR:' said; tail -4 said; $1 python/notebook_test.py python.ipynb" >"$work/said" 2>&1
    cat "$work/said"
    grep -q '^OK' "$work/said" && grep -q 'cells ran' "$work/said"
}

wheel() {
    fresh_root wheel
    inside "apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv python3-numpy >/dev/null &&
        python3 -m venv --system-site-packages /opt/own &&
        /opt/own/bin/pip install -q --no-index /packages/sinoscope-*.whl" || return 1
    try_python /opt/own/bin/python || return 1
    cp "$work/debs/root/head.h5" "$there/root/" # HDF5 files are read first by the helper program in the wheel
    inside "cd /root && /opt/own/bin/python -c 'import sinoscope; print(sinoscope.reconstruct(sinoscope.open(\"head.h5\"), 0))'"
}

export root packages pictures work
if [ -z "${DISPLAY:-}" ]; then
    Xvfb :77 -screen 0 1920x1200x24 -nolisten tcp >/dev/null 2>&1 &
    display=$!
    trap 'kill $display 2>/dev/null; cleanup' EXIT
    export DISPLAY=:77
    sleep 2
fi
attempt "tar.gz, unpacked and moved" archive archive
attempt "self-extracting program" archive run
attempt "packages of the distribution" debs
attempt "wheel for Python" wheel
exit $((failures > 0))
