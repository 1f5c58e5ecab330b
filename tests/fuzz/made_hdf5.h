// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files built from a few bytes that choose data sets, shapes, types, layouts and attributes: a fuzzer gets
// further with these bytes than with bytes of the format.
#pragma once

#include "tests/fuzz/targets.h"

namespace fuzz
{

void makeHdf5(Bytes choices, const std::filesystem::path& file);

} // namespace fuzz
