// SPDX-License-Identifier: GPL-3.0-or-later
// Filters of HDF5's plug-ins as functions of their own, for threads that undo chunks without the library's lock.
#pragma once

#include <cstddef>

namespace engine
{

// H5Z_func_t of HDF5.
using PluginFilter = std::size_t (*)(unsigned flags, std::size_t parameterCount, const unsigned* parameters,
                                     std::size_t bytes, std::size_t* capacity, void** memory);

// From the folders in which HDF5 looks for plug-ins, of filters known to be usable by several threads at once (LZ4,
// bitshuffle, Blosc, Zstandard, bzip2, LZF); null for others, and where there is none. Under the library's lock.
PluginFilter pluginFilter(int id);

} // namespace engine
