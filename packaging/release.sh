#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the packages that users install without compiling.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: packaging/release.sh [--cuda] [FOLDER]

Installs the distribution's packages that are missing, builds Sinoscope into build/packages and writes
into FOLDER (default: build/packages/release):

  sinoscope-VERSION-ARCHITECTURE.tar.gz   programs and their libraries; unpack it anywhere
  sinoscope-VERSION-ARCHITECTURE.run      the same as a program that unpacks itself (for those who would
                                          like an AppImage, whose tool Debian lacks)
  *.deb                                   packages of this distribution, which need its libraries:
                                          sinoscope, sinoscope-cli, python3-sinoscope, and sinoscope-mpi
                                          if there is an MPI
  sinoscope-VERSION-….whl                 the Python package for this distribution's Python
  SHA256SUMS                              of all of them

The same commit gives the same bytes on the same distribution. packaging/try_packages.sh installs and
starts each package in a root without build tools.

  --cuda   build for NVIDIA GPUs from Turing on; the environment variable CUDAARCHS sets the
           architectures; default: Turing to Hopper, and PTX for later ones, which takes many minutes
  --help   this text
TEXT
}

options=()
folder=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --cuda) options=(-DSINOSCOPE_CUDA=ON) ;;
    -*) echo "packaging/release.sh: unknown option '$1'; see --help" >&2; exit 2 ;;
    *) [ -z "$folder" ] || { echo "packaging/release.sh: one folder, please; see --help" >&2; exit 2; }; folder=$1 ;;
    esac
    shift
done
case $folder in '' | /*) ;; *) folder=$PWD/$folder ;; esac

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# Times in the packages are that of the commit, and paths of this machine are in none of them.
if seconds=$(git -C "$root" log -1 --format=%ct 2>/dev/null); then SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$seconds}; fi
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0}
umask 022
flags=-ffile-prefix-map=$root=.
options+=(-DCMAKE_INSTALL_PREFIX=/usr "-DCMAKE_CXX_FLAGS=$flags" "-DCMAKE_C_FLAGS=$flags" -DSINOSCOPE_TESTS=OFF
    -DSINOSCOPE_TUNINGS=OFF -DSINOSCOPE_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3)
build=$root/build/packages
folder=${folder:-$build/release}

install_packages engine window mpi python
targets=(programs python_package)

# pack FOLDER ARCHIVE: packs a folder reproducibly.
pack() {
    tar --create --directory "$(dirname "$1")" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
        --numeric-owner --format=gnu "$(basename "$1")" | gzip --best --no-name >"$2.part" && mv "$2.part" "$2"
}

# self_extracting ARCHIVE FILE: writes a program that unpacks the archive beside itself or into a folder given.
self_extracting() {
    local top
    top=$(basename "$1" .tar.gz)
    cat >"$2.part" <<'TEXT'
#!/bin/sh
# Sinoscope, unpacked by itself (GPL-3.0-or-later).
set -eu
case ${1:-} in
-h | --help) echo "Usage: sh $0 [FOLDER]: unpacks Sinoscope into FOLDER/TOP; default: the present folder"; exit 0 ;;
-*) echo "$0 has no option $1; usage: sh $0 [FOLDER]" >&2; exit 2 ;;
esac
[ $# -le 1 ] || { echo "$0 takes one folder, not $#: '$*'" >&2; exit 2; }
folder=${1:-$PWD}
is_there() { echo "$folder/TOP is already there: nothing was unpacked" >&2; exit 2; }
[ ! -e "$folder/TOP" ] || is_there
mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ] || { echo "$folder can't be written: choose a folder of your own" >&2; exit 2; }
# Unpacks into a temporary folder and renames it in the end, so that an interruption leaves nothing incomplete.
part=$(mktemp -d "$folder/.TOP.XXXXXX")
trap 'rm -rf "$part"' EXIT
trap 'exit 130' HUP INT TERM
if ! { tail -c +HEADERBYTES "$0" | gzip -dc | tar -x -C "$part"; } 2>"$part/failure"; then
    tail -n 1 "$part/failure" >&2
    echo "Nothing was unpacked: $0 is incomplete, or the disk is full" >&2
    exit 2
fi
# -T: if another run has unpacked it meanwhile, mv fails, and doesn't move into that folder.
if ! mv -T "$part/TOP" "$folder/TOP" 2>"$part/failure"; then
    [ ! -e "$folder/TOP" ] || is_there
    cat "$part/failure" >&2
    exit 2
fi
echo "Start '$folder/TOP/bin/sinoscope', or '$folder/TOP/bin/sinoscope-cli' --help"
exit 0
TEXT
    local bytes text
    text=$(sed "s/TOP/$top/g" "$2.part")
    # The number of bytes is a part of the text that it counts: it gets a fixed width.
    bytes=$(printf '%08d' $(($(printf '%s\n' "${text/HEADERBYTES/00000000}" | wc -c) + 1)))
    { printf '%s\n' "${text/HEADERBYTES/$bytes}"; cat "$1"; } >"$2.part"
    chmod 755 "$2.part"
    mv "$2.part" "$2"
}

build packages "${options[@]}" -DSINOSCOPE_BUNDLE=ON
version=$("$build/bin/sinoscope-cli" --version | awk '{print $NF; exit}')
architecture=$(uname -m)
name=sinoscope-$version-$architecture
mkdir -p "$folder"
rm -f "$folder"/sinoscope*.tar.gz "$folder"/sinoscope*.run "$folder"/*sinoscope*.deb "$folder"/sinoscope*.whl \
    "$folder"/SHA256SUMS

say "packing"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
output=$(cmake --install "$build" --prefix "$work/$name" --strip 2>&1) || { printf '%s\n' "$output"; fail "Installing failed; see above."; }
pack "$work/$name" "$folder/$name.tar.gz"
self_extracting "$folder/$name.tar.gz" "$folder/$name.run"
/usr/bin/python3 "$root/packaging/make_wheel.py" "$build" "$folder" >/dev/null

if command -v dpkg-shlibdeps >/dev/null; then
    build packages -DSINOSCOPE_BUNDLE=OFF
    say "packages of the distribution"
    rm -rf "$build/_CPack_Packages"
    output=$(cd "$build" && cpack -B "$work/debs" -D "CPACK_PACKAGE_VERSION=$version" 2>&1) ||
        { printf '%s\n' "$output"; fail "The packages could not be made; see above."; }
    mv "$work"/debs/*.deb "$folder"
else
    note "No dpkg-shlibdeps here (package dpkg-dev): no .deb was made"
fi
(cd "$folder" && sha256sum -- *.tar.gz *.run *.whl $(ls ./*.deb 2>/dev/null) >SHA256SUMS)
ls -l "$folder"
