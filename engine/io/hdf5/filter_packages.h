// SPDX-License-Identifier: GPL-3.0-or-later
// The packages with HDF5's filter plug-ins.
#pragma once

#include <string>

namespace engine
{

// Returns the second half of a sentence ("… is compressed with …") about a filter of HDF5's registry that isn't
// installed: its name, and how to install it. name: as the file has it.
std::string howToInstall(int id, const std::string& name);

} // namespace engine
