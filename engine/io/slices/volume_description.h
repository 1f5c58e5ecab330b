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

// Where the image of a plane, or a slab, lies, in the coordinates of a whole volume.
struct FrameDescription {
    std::string kind = {};                    // "plane" or "slab"
    std::string text = {};                    // as for the option of that name, in voxels
    std::array<double, 3> centre{};           // x, y, z of the middle
    std::array<double, 3> u{}, v{};           // unit vectors of an image's rows, to the right, and columns, downwards
    std::array<double, 2> pixel = {1.0, 1.0}; // sides of a pixel along u and v
};

// Attribute of values that are stored as integers: the unit of scale_factor · stored + add_offset.
inline constexpr const char* scaledUnits = "scaled_units";

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct VolumeDescription {
    std::string configuration; // JSON of the whole request, so that the volume can be repeated
    std::string title = {};    // of the scan
    std::string scan = {};     // absolute path, or the name of a simulated scan
    // Positions of the voxels' centres along each axis, in `length`: x to the right and y up, from the rotation
    // axis; z up, from slice 0 of the scan. Empty: not written.
    // A slab's x and y are turned with it.
    std::vector<double> x = {}, y = {}, z = {};
    std::vector<double> u = {}, v = {}; // of a plane's pixels, from its middle
    // Axes of the values' dimensions, slowest first: x, y and z, or u and v for a plane that is not perpendicular to an
    // axis; ".": none.
    std::array<std::string, 3> axes = {"z", "y", "x"};
    std::string length = {};                    // "mm", or "pixel" if the pixel size isn't known
    std::optional<FrameDescription> frame = {}; // of a plane or slab
    NamedTexts parameters = {};                 // the options of the reconstruction, by their ids
    NamedTexts scanMetadata = {};               // from the scan's file: Scan::metadata
};

} // namespace engine
