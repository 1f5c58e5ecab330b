// SPDX-License-Identifier: GPL-3.0-or-later
// NeXus groups and fields around the values of an HDF5 volume.
#pragma once

#include "engine/io/hdf5/hdf5_output.h"
#include "engine/io/slices/volume_description.h"

namespace engine
{

inline constexpr const char* volumeGroup = "/entry/reconstruction/results"; // of the values, named "data"

// Writes everything but the values into a file that has them in `volumeGroup`: the axes of a plot, title, sample,
// instrument, scan, program, parameters and request. /entry/data is a second name of that group. States the definition
// NXtomoproc if the scan's metadata have all that it demands. Throws Error(output).
void describeVolume(Hdf5Output& file, const VolumeDescription& description);

} // namespace engine
