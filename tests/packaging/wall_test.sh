#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Files of strangers reach the libraries for HDF5 and MATLAB in the helper program only: checks that the programs in the
# folder link no function of these libraries that reads.
# Usage: wall_test.sh FOLDER
set -uo pipefail

reading='^(Mat_|H5Fopen|H5Fis_|H5Dread|H5Dget_chunk|H5Dget_storage|H5Aopen|H5Aread|H5Aget|H5Gopen|H5Oopen|H5Oget|H5Lget|H5Literate|H5Lvisit|H5Ovisit|H5Tconvert|H5Zf|H5PL)'
undefined() { nm -D --undefined-only "$1" | awk '{print $2}' | grep -E "$2"; }

failed=0
for program in "$1"/sinoscope "$1"/sinoscope-cli "$1"/sinoscope-mpi; do
    [ -x "$program" ] || continue
    if undefined "$program" "$reading"; then
        echo "$program calls these functions, which read files of strangers"
        failed=1
    fi
done
[ -x "$1/sinoscope-cli" ] || { echo "$1/sinoscope-cli is missing"; failed=1; }
exit $failed
