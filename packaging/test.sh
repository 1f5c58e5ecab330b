#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs missing packages, builds, and runs all tests; ends with ctest's summary and its status.
set -euo pipefail

if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
    cat <<'TEXT'
Usage: packaging/test.sh [CTEST-OPTION…]

Installs the distribution's packages that are missing, builds Sinoscope into build/tests, with programs
that are quick to compile and slower than those of run.sh, and runs all tests through ctest, those of
the window in a virtual display. SINOSCOPE_PRESET=release tests the programs in build/release instead.
Options go to ctest, for example:
  packaging/test.sh -L engine          only the engine's tests
  packaging/test.sh -R filter -V       one test, with everything it prints
TEXT
    exit 0
fi

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

steps=4
say "packages"
preset=${SINOSCOPE_PRESET:-tests}
install_and_begin "$preset" window mpi test
build "$preset"

say "testing"
cd "$root"
# Keeps the tests' settings and sockets apart from the user's.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/runtime" "$scratch/config"
export XDG_RUNTIME_DIR=$scratch/runtime XDG_CONFIG_HOME=$scratch/config XDG_CACHE_HOME=$scratch/cache
# Mesa's software renderer draws the same pictures on every machine. -noreset: otherwise the X server restarts
# whenever its last client disconnects, and refuses a test that connects meanwhile.
xvfb-run -a -s "-screen 0 1920x1200x24 -noreset" \
    env QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 \
    ctest --preset "$preset" -j 4 "$@" # four at a time: some tests mostly wait
