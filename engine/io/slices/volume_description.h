// SPDX-License-Identifier: GPL-3.0-or-later
// What an HDF5 volume says about itself, beside its values: written at the end, for people and for other programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace engine
{

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct VolumeDescription {
    std::string configuration; // JSON of the whole request, so that the volume can be repeated
    std::string title = {};    // of the scan
    std::string scan = {};     // absolute path, or the name of a simulated scan
    // Positions of the voxels' centres along each axis, in `length`: x to the right and y up, from the rotation
    // axis; z up, from slice 0 of the scan. Empty: not written.
    std::vector<double> x = {}, y = {}, z = {};
    std::string length = {};      // "mm", or "pixel" if the pixel size isn't known
    NamedTexts parameters = {};   // the options of the reconstruction, by their ids
    NamedTexts scanMetadata = {}; // from the scan's file: Scan::metadata
};

} // namespace engine
