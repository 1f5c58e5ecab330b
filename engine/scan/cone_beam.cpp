// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/cone_beam.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/scan/vector3.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace engine
{

namespace
{

Vector3 rowOf(const ProjectionMatrix& m, int row)
{
    return {m[4 * row], m[4 * row + 1], m[4 * row + 2]};
}

ProjectionMatrix circleMatrix(const ConeBeam& beam, std::size_t projection)
{
    const double c = std::cos(beam.anglesRad[projection]), s = std::sin(beam.anglesRad[projection]);
    Vector3 across{c, s, 0}, along{-s, c, 0}, up{0, 0, 1};
    if (beam.tiltRad != 0) {
        const double ct = std::cos(beam.tiltRad), st = std::sin(beam.tiltRad);
        const Vector3 level = along, upright = up;
        for (int i = 0; i < 3; ++i) {
            along[i] = level[i] * ct + upright[i] * st;
            up[i] = upright[i] * ct - level[i] * st;
        }
    }
    if (beam.rollRad != 0) {
        const double cr = std::cos(beam.rollRad), sr = std::sin(beam.rollRad);
        const Vector3 level = across, upright = up;
        for (int i = 0; i < 3; ++i) {
            across[i] = level[i] * cr + upright[i] * sr;
            up[i] = upright[i] * cr - level[i] * sr;
        }
    }
    const double axis = beam.axisBins.size() == 1 ? beam.axisBins.front() : beam.axisBins.at(projection);
    const double binsPerMm = beam.magnification() / beam.pixelUMm, rowsPerMm = beam.magnification() / beam.pixelVMm;
    ProjectionMatrix m{};
    for (int i = 0; i < 3; ++i) {
        const double w = along[i] / beam.sourceAxisMm;
        m[i] = axis * w + binsPerMm * across[i];
        m[4 + i] = beam.centralRow * w - rowsPerMm * up[i];
        m[8 + i] = w;
    }
    m[3] = axis;
    m[7] = beam.centralRow;
    m[11] = 1;
    return m;
}

std::string inMm(double value)
{
    return numberToText(value) + " mm";
}

void validateCircle(const ConeBeam& beam, const Text& who)
{
    const auto positive = [&](double value, const char* what) {
        require(std::isfinite(value) && value > 0,
                who + ": the " + what + " is " + inMm(value) + "; for a cone beam it must be above 0");
    };
    positive(beam.sourceAxisMm, "distance from source to axis");
    positive(beam.sourceDetectorMm, "distance from source to detector");
    positive(beam.pixelUMm, "pixel of the detector");
    positive(beam.pixelVMm, "height of the detector's pixels");
    require(beam.sourceDetectorMm >= beam.sourceAxisMm, who + ": the detector, " + inMm(beam.sourceDetectorMm) +
                                                            " from the source, is nearer to the source than the "
                                                            "axis, " +
                                                            inMm(beam.sourceAxisMm) + " from it");
    const auto inside = [&](double position, int count, const char* what) {
        require(std::isfinite(position) && position >= -0.5 && position <= count - 0.5,
                who + ": the central ray meets " + what + " " + numberToText(position) +
                    ", outside the detector (0 to " + std::to_string(count - 1) + ")");
    };
    for (const double axis : beam.axisBins)
        inside(axis, beam.bins, "bin");
    inside(beam.centralRow, beam.rows, "row");
    constexpr double most = 0.5;
    require(std::abs(beam.tiltRad) < most && std::abs(beam.rollRad) < most, // false for NaN
            who + ": tilt and roll must be between −28.6° and 28.6°");
    require(beam.rows > 1 || (beam.tiltRad == 0 && beam.rollRad == 0),
            who + ": a fan beam (one row) can have neither tilt nor roll");
}

void validateMatrices(const ConeBeam& beam, const Text& who)
{
    require(beam.matrices.size() == beam.anglesRad.size(), who + ": " + std::to_string(beam.matrices.size()) +
                                                               " projection matrices for " +
                                                               std::to_string(beam.anglesRad.size()) + " projections");
    for (std::size_t p = 0; p < beam.matrices.size(); ++p) {
        const ProjectionMatrix& m = beam.matrices[p];
        const Text which = who + ": projection matrix " + std::to_string(p);
        require(std::ranges::all_of(m, [](double value) { return std::isfinite(value); }),
                which + " has a value that is not a number");
        const double size = length(rowOf(m, 0)) * length(rowOf(m, 1)) * length(rowOf(m, 2));
        const double volume = dot(rowOf(m, 0), cross(rowOf(m, 1), rowOf(m, 2)));
        require(size > 0 && std::abs(volume) > 1e-12 * size, which + " is singular");
        require(m[11] > 0 && length(rowOf(m, 2)) > 0,
                which + " places the middle of the volume behind the source: w is " + numberToText(m[11]) +
                    " there, and must be above 0; if only the sign of the matrix is wrong, negate all of its numbers");
    }
}

} // namespace

ConeBeam turned(ConeBeam beam, double rotationRad)
{
    const double by = rotationRad - beam.rotationRad;
    if (by == 0)
        return beam;
    for (double& angle : beam.anglesRad)
        angle += by;
    // Points of the turned object are mapped back to where they were before the turn.
    const double c = std::cos(by), s = std::sin(by);
    for (ProjectionMatrix& m : beam.matrices)
        for (const std::size_t k : {0, 4, 8})
            std::tie(m[k], m[k + 1]) = std::pair(c * m[k] - s * m[k + 1], s * m[k] + c * m[k + 1]);
    beam.rotationRad = rotationRad;
    return beam;
}

ConeVolume standardVolume(const ConeBeam& beam)
{
    if (!beam.isCircle()) {
        const double voxel = binAtAxisMm(beam.matrices.front());
        return {voxel, beam.bins, beam.rows};
    }
    ConeVolume volume{beam.pixelUMm / beam.magnification(), beam.bins, beam.rows};
    if (beam.rows > 1) {
        constexpr double nearlyMiddle = 0.05;
        volume.slices =
            std::max(1, static_cast<int>(std::lround(std::min(1e6, beam.rows * beam.pixelVMm / beam.pixelUMm))));
        if (const double rows = beam.centralRow - beam.middleRow();
            std::abs(rows) > std::max(1.0, nearlyMiddle * beam.rows) && std::abs(rows) < 1e6)
            volume.centreMm = std::round(rows * beam.pixelVMm / beam.pixelUMm) * volume.voxelMm;
    }
    return volume;
}

void validate(const ConeBeam& beam, const Text& who)
{
    if (beam.isCircle())
        validateCircle(beam, who);
    else
        validateMatrices(beam, who);
    const ConeVolume& volume = beam.volume;
    require(std::isfinite(volume.voxelMm) && volume.voxelMm > 0,
            who + ": the voxel of the volume is " + inMm(volume.voxelMm) + "; it must be above 0");
    constexpr int most = 1 << 16;
    require(volume.size >= 1 && volume.size <= most && volume.slices >= 1 && volume.slices <= most,
            who + ": a volume of " + std::to_string(volume.size) + "² × " + std::to_string(volume.slices) +
                " voxels; each side must have 1 to " + std::to_string(most));
    ConeBeam centred = beam;
    if (centred.axisBins.empty())
        centred.axisBins = {beam.middleBins()};
    const double half = (volume.size - 1) / 2.0 * volume.voxelMm,
                 height = (volume.slices - 1) / 2.0 * volume.voxelMm + std::abs(volume.centreMm);
    for (const ProjectionMatrix& m : projectionMatrices(centred)) {
        const double nearest = m[11] - half * (std::abs(m[8]) + std::abs(m[9])) - height * std::abs(m[10]);
        require(nearest > 0, who + ": the source, " + inMm(1 / length(rowOf(m, 2))) +
                                 " from the axis, lies inside the volume of " + std::to_string(volume.size) + " × " +
                                 inMm(volume.voxelMm) + "; give smaller or fewer voxels, or correct the distances");
    }
}

std::vector<ProjectionMatrix> projectionMatrices(const ConeBeam& beam)
{
    if (!beam.isCircle())
        return beam.matrices;
    std::vector<ProjectionMatrix> matrices;
    matrices.reserve(beam.anglesRad.size());
    for (std::size_t p = 0; p < beam.anglesRad.size(); ++p)
        matrices.push_back(circleMatrix(beam, p));
    return matrices;
}

// The third row of the matrix is n/d, where n is the detector's unit normal and d the distance from the source to the
// axis: w = (n·x)/d + 1. The first row is h₀·n/d + (D/(p·d))·a, where h₀ is the bin of the central ray, a the unit
// vector along the bins, perpendicular to n, D the distance from the source to the detector, and p the distance of
// neighbouring bins. So the distance of the source is D/p in bins. The second row is alike.
CentralRay centralRayOf(const ProjectionMatrix& m)
{
    const Vector3 normal = rowOf(m, 2);
    const double square = dot(normal, normal);
    CentralRay ray;
    const auto split = [&](int row, double& position, double& distance) {
        Vector3 rest = rowOf(m, row);
        position = dot(rest, normal) / square;
        for (int i = 0; i < 3; ++i)
            rest[i] -= position * normal[i];
        distance = length(rest) / std::sqrt(square);
    };
    split(0, ray.bin, ray.lengthBins);
    split(1, ray.row, ray.lengthRows);
    return ray;
}

double AxisImage::mostShift(int rows) const
{
    return std::abs(binsPerRow) * std::max(std::abs(row), std::abs(rows - 1 - row));
}

// The image of the axis is a straight line through the image of its middle.
AxisImage axisImageOf(const ProjectionMatrix& m, const ConeBeam& beam)
{
    AxisImage image{m[3] / m[11], m[7] / m[11]};
    const double across = m[2] * m[11] - m[3] * m[10], along = m[6] * m[11] - m[7] * m[10]; // direction of increasing z
    const CentralRay ray = centralRayOf(m);
    const double square = ray.lengthRows / ray.lengthBins;
    if (std::abs(across) * square < std::abs(along))
        image.binsPerRow = across / along;
    if (!(image.mostShift(beam.rows) < beam.bins))
        image.binsPerRow = 0;
    image.leanRad = std::atan(image.binsPerRow * square);
    return image;
}

double binAtAxisMm(const ProjectionMatrix& m)
{
    return 1 / (length(rowOf(m, 2)) * centralRayOf(m).lengthBins);
}

} // namespace engine
