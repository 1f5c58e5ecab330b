// SPDX-License-Identifier: GPL-3.0-or-later
// What an HDF5 volume says about itself, beside its values: written at the end, for people and for other programs.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// Where the image of a plane lies, in the coordinates of VolumeDescription.
struct PlaneDescription {
    std::string text;                   // as for the option plane, in voxels
    std::array<double, 3> centre{};     // x, y, z of the image's middle
    std::array<double, 3> u{}, v{};     // unit vectors of its rows, to the right, and of its columns, downwards
    double pixel = 1;                   // side of a pixel
    std::vector<double> alongU, alongV; // positions of the pixels from the middle
};

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct VolumeDescription {
    std::string configuration; // JSON of the whole request, so that the volume can be repeated
    std::string title = {};    // of the scan
    std::string scan = {};     // absolute path, or the name of a simulated scan
    // Positions of the voxels' centres along each axis, in `length`: x to the right and y up, from the rotation
    // axis; z up, from slice 0 of the scan. Empty: not written.
    std::vector<double> x = {}, y = {}, z = {};
    // Axes of the values' dimensions, slowest first: x, y and z, or u and v, which count from the middle of a plane
    // that is not perpendicular to an axis; ".": none.
    std::array<std::string, 3> axes = {"z", "y", "x"};
    std::string length = {}; // "mm", or "pixel" if the pixel size isn't known
    std::optional<PlaneDescription> plane = {};
    NamedTexts parameters = {};   // the options of the reconstruction, by their ids
    NamedTexts scanMetadata = {}; // from the scan's file: Scan::metadata
};

} // namespace engine
