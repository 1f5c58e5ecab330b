#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source file is in a room (a folder), and rooms include each other in one direction only. Each library is used
# in few rooms.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

# From the bottom up: a room may include itself and the rooms before it.
rooms=(
    engine/base engine/data engine/scan engine/simulate engine/guess engine/examine engine/request engine/filter
    engine/prepare engine/plan
    engine/backends engine/backends/parallel engine/backends/cone engine/backends/plane
    engine/backends/cpu/parallel engine/backends/cpu/cone engine/backends/cpu/plane engine/backends/cpu
    engine/backends/cuda/device engine/backends/cuda/filter engine/backends/cuda/prepare engine/backends/cuda/rows
    engine/backends/cuda/parallel
    engine/backends/cuda/cone engine/backends/cuda/plane engine/backends/cuda
    engine/backends/opencl/device engine/backends/opencl/filter engine/backends/opencl/rows engine/backends/opencl/parallel
    engine/backends/opencl/cone engine/backends/opencl
    engine/options engine/stages engine/resolve engine/axis engine/reconstruct
    engine/io/files engine/io/check engine/io/frames engine/io/tiff engine/io/hdf5 engine/io/library engine/io/geometry
    engine/io/formats engine/io/slices engine/io/open
    engine/json engine/volume engine/cluster engine/compare engine/measure engine/documents
    ui/widgets ui/background ui/views ui/image ui/profile ui/settings ui/numbers ui/planes ui/volume ui/speed ui/stand ui/axis ui/recorded
    ui/opening ui/queue ui/report ui/saving ui/window
    app/cli app/python app
)
sources=(--include='*.cpp' --include='*.h' --include='*.cu' --include='*.cuh')

# Prints "file included" for each include of a file of this project.
includes() {
    grep -rE "${sources[@]}" '^#include "(engine|ui|app)/' engine ui app |
        sed -E 's/^([^:]*):#include "([^"]*)".*/\1 \2/'
}

status=0
if ! includes | awk -v order="${rooms[*]}" '
    function room(path) { sub(/\/[^\/]*$/, "", path); return path }
    BEGIN { count = split(order, names, " "); for (k = 1; k <= count; ++k) place[names[k]] = k }
    {
        ++seen; from = room($1); to = room($2)
        if (!(from in place)) { print $1 ": its folder is no room of this list"; bad = 1 }
        else if (!(to in place)) { print $1 " includes " $2 ", whose folder is no room of this list"; bad = 1 }
        else if (place[to] > place[from]) { print $1 " includes " $2 ", of a room above"; bad = 1 }
    }
    END { if (seen < 1000) { print "only " seen + 0 " includes were found"; bad = 1 } exit bad }'; then
    status=1
fi
if find engine ui -maxdepth 1 -name '*.*' ! -name CMakeLists.txt -type f | grep . ||
    find engine/io -maxdepth 1 -type f | grep .; then
    echo "a source file is in no room"
    status=1
fi
if grep -rnE '^#include [<"](Q[A-Z]|Qt|vtk|ui/|app/)' engine; then
    echo "the engine knows neither Qt nor VTK, nor what stands on it"
    status=1
fi
if grep -rnE '^#include <(hdf5|H5|tiff|fftw|hwy/|cuda)' engine --include='*.h' |
    grep -vE '^engine/(backends|io/hdf5|io/tiff|filter)/'; then
    echo "a library shows in a header of another folder"
    status=1
fi
if grep -rnE "${sources[@]}" '(remove_all|removeRecursively|QTemporaryDir)|(fs|filesystem|QFile|std)::remove\(|(^|[^_a-z])(unlink|unlinkat|rmdir)\(' engine ui app |
    grep -v '^engine/base/remove_file.cpp'; then
    echo "files and folders are removed by engine/base/remove_file.h only, and no folder with its contents"
    status=1
fi
# Strangers' files must not reach the HDF5 library in this process: io/library is linked with sinoscope-check only.
if grep -rnE "${sources[@]}" '\bH5[A-Z][A-Za-z]*[0-9]?[a-z_0-9]*\(' engine app ui |
    grep -vE '^engine/io/(library/|hdf5/hdf5_(output|library|driver))' ||
    grep -rnE "${sources[@]}" '#include "engine/io/library/' engine app ui | grep -vE '^(engine/io/library/|app/check_main.cpp)'; then
    echo "HDF5 files are read by the helper program only"
    status=1
fi
# Outside the backends nobody asks which one it is, or includes their headers.
if grep -rnE "${sources[@]}" '#include "engine/backends/(cpu|cuda|opencl)/|\b(cuda|openCl|cpu)Backend\b' engine ui app |
    grep -vE '^engine/backends/(cpu|cuda|opencl)/|^engine/backends/(backend.h|list.cpp):'; then
    echo "what a backend can do is asked of engine/backends/backend.h"
    status=1
fi
# Above the rooms that make the plan, methods and preparations are read in it. What is left looks up a name.
above="engine/reconstruct engine/json engine/volume engine/cluster engine/compare engine/measure engine/documents ui app"
calls=$(grep -rnE "${sources[@]}" '\b(methodFor|findMethod|gridOf|preparationOf)\(' $above)
if [ "$(wc -l <<<"$calls")" -gt 10 ]; then
    printf '%s\n' "$calls" "these are more than 10 places that work out what the plan says"
    status=1
fi
if long=$(find engine ui app \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cl' \) -print0 |
    wc -l --files0-from=- | awk '$1 > 500 && $2 != "total" && $2 != "engine/io/open/open_fields.cpp"' | grep .); then
    printf '%s\n' "$long" "a file of more than 500 lines; only tables may be longer"
    status=1
fi
exit $status
