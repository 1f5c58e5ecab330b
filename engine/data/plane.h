// SPDX-License-Identifier: GPL-3.0-or-later
// Planes through a volume, in any direction.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace engine
{

// A point of a volume, or a direction: column, row and slice, as a voxel's, but with fractions.
using VoxelPoint = std::array<double, 3>;

// A plane of square pixels through a volume. Pixel (column i, row j) lies at
//   centre + pixel·((i − (width−1)/2 + right)·u + (j − (height−1)/2 + down)·v).
struct Plane {
    VoxelPoint centre{};        // of the image, or of the whole plane's image
    VoxelPoint u{1, 0, 0};      // direction of the image's rows, to the right: a unit vector
    VoxelPoint v{0, 1, 0};      // direction of its columns, downwards: a unit vector perpendicular to u
    int width = 0, height = 0;  // in pixels
    double pixel = 1;           // side of a pixel, in voxels
    double right = 0, down = 0; // of a part of a plane: from the whole image's centre to its own, in pixels

    VoxelPoint at(double i, double j) const;
    bool operator==(const Plane&) const = default;
};

// Returns some columns and rows of the plane's image. The points of its pixels have the same bits.
Plane partOf(Plane plane, int column, int row, int width, int height);

// The voxels of a whole volume.
struct VolumeSize {
    int size = 0, slices = 0; // columns and rows of a slice; slices
};

// Directions of the image of a plane: x is seen along the columns' axis, with rows to the right and slices downwards; y
// with columns to the right and slices downwards; z is a slice.
enum class PlaneAxis { x, y, z };

// Returns the whole plane at a column (x), row (y) or slice (z) of the volume.
Plane planeAcross(PlaneAxis axis, double position, const VolumeSize& volume);

// Returns the plane turned about its centre, `degrees` clockwise as seen along the direction `about`, a unit vector.
Plane turned(Plane plane, const VoxelPoint& about, double degrees);

// Reads "x=12", "y=12.5", "z=0", or "centre=C,R,S;u=C,R,S;v=C,R,S", followed by ";width=W;height=H;pixel=P" where
// wanted. u and v may have any length; v is made perpendicular to u. Without width and height the image has as many
// pixels as the volume needs along u and v, about the volume's middle. Throws Error(badRequest), which names the value.
Plane planeFromText(const std::string& text, const VolumeSize& volume);

// Returns the text with centre, directions, width, height and pixel, which reads as the same plane for every volume.
std::string toText(const Plane& plane);

// Returns the shortest text that reads as the plane for this volume: "x=12", or without width and height, where the
// image has the size that planeFromText() chooses. For another volume, its image shows all of that volume.
std::string textForVolumes(const Plane& plane, const VolumeSize& volume);

// Returns the axis of the volume that the plane is perpendicular to, if its image has the directions of planeAcross().
std::optional<PlaneAxis> axisOf(const Plane& plane);

// Returns where the plane lies, for a file name: "x=12", or "centre=64.2,60,15,normal=0.5,0.866,0" with rounded numbers
// for a plane that is not perpendicular to an axis.
std::string shortText(const Plane& plane);

// Throws Error(badRequest), which names the value, unless the plane has an area, perpendicular unit vectors, finite
// numbers, and meets the volume.
void validate(const Plane& plane, const VolumeSize& volume);

// The slices that a plane meets, including those beside it that interpolation needs.
struct PlaneSlices {
    int first = 0, count = 0;
};
PlaneSlices slicesOf(const Plane& plane, const VolumeSize& volume);

// The part of a volume that a plane is, if its pixels are voxels.
struct PlaneBox {
    int column = 0, row = 0, slice = 0;
    int width = 1, height = 1, slices = 1;
};
std::optional<PlaneBox> boxOf(const Plane& plane, const VolumeSize& volume);

} // namespace engine
