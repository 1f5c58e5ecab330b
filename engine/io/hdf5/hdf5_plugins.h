// SPDX-License-Identifier: GPL-3.0-or-later
// Filters of HDF5's plug-ins as plain functions, for threads that decode chunks without the library's lock.
#pragma once

#include <cstddef>
#include <string>

namespace engine
{

// HDF5's H5Z_func_t.
using PluginFilter = std::size_t (*)(unsigned flags, std::size_t parameterCount, const unsigned* parameters,
                                     std::size_t bytes, std::size_t* capacity, void** memory);

// Finds a filter in the folders in which HDF5 looks for plug-ins, if several threads can safely use it simultaneously
// (Blosc, Blosc2, bzip2, LZF); null for other filters and if none is found. To be called under the library's lock.
PluginFilter pluginFilter(int id);

// Returns the second half of a sentence ("… is compressed with …") about a filter that isn't installed: its name, and
// how to install it. name: as the file has it.
std::string howToInstall(int id, const std::string& name);

} // namespace engine
