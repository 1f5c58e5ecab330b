// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files out of a few bytes, which choose data sets, shapes, types, layouts and attributes: a fuzzer gets further
// with them than with bytes of the format.
#pragma once

#include "tests/fuzz/targets.h"

namespace fuzz
{

void makeHdf5(Bytes choices, const std::filesystem::path& file);

} // namespace fuzz
