#!/bin/bash
# Folders depend on each other in one direction (DESIGN, "Rules of the house"), and each finds its libraries alone.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

status=0

# "folder folder" for each include that leaves its folder. What stands in engine/, ui/ or app/ itself counts by its name:
# the ground (setting, error) and the way in (reconstruct) are there beside each other.
dependencies() {
    grep -rE --include='*.cpp' --include='*.h' --include='*.cu' --include='*.cuh' '^#include "(engine|ui|app)/' engine ui app |
        sed -E 's/^([^:]*):#include "([^"]*)".*/\1 \2/' |
        sed -E 's/(_impl)?(_opening|_saving)?\.([a-z]+)( |$)/.\3\4/g; s/(engine|ui|app)\/([a-z_0-9-]+)\.[a-z]+( |$)/\1:\2\3/g; s/\/[^ /]+( |$)/\1/g' |
        awk '$1 != $2' | sort -u
}

if ! dependencies | tsort >/dev/null; then
    echo "folders depend on each other in a circle (the names above)"
    status=1
fi
if grep -rnE '^#include [<"](Q[A-Z]|Qt|vtk|ui/|app/)' engine; then
    echo "the engine knows neither Qt nor VTK, nor what stands on it"
    status=1
fi
if grep -rnE '^#include "app/' ui; then
    echo "the window knows the programs"
    status=1
fi
if grep -rnE '^#include <(hdf5|H5|tiff|fftw|hwy/|cuda|cufft)' engine --include='*.h' |
    grep -vE '^engine/(cuda|io|filter|backproject/parallel|backproject/cone)/'; then
    echo "a library shows in a header of another folder"
    status=1
fi
exit $status
