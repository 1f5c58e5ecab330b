// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/reinterpreted_scan.h"

#include <utility>

namespace engine
{

namespace
{

// Replaces the geometry. Data that belong only to the old volume, such as its exact image, are dropped if the volume
// changes.
std::shared_ptr<Scan> withGeometry(const Scan& scan, Geometry geometry, bool anglesReversed)
{
    const auto volumeOf = [](const Geometry& of) {
        const auto* cone = std::get_if<ConeBeam>(&of);
        return cone ? std::optional(cone->volume) : std::nullopt;
    };
    auto changed = std::make_shared<Scan>(scan);
    if (volumeOf(geometry) != volumeOf(scan.geometry) || rotationRadOf(geometry) != rotationRadOf(scan.geometry))
        changed->exactImage = {};
    changed->geometry = std::move(geometry);
    changed->anglesReversed = anglesReversed;
    return changed;
}

ConeBeam withVolume(ConeBeam beam, const ConeOptions& options, const Text& who)
{
    beam.volume = standardVolume(beam);
    beam.volume.voxelMm = options.voxelMm.value_or(beam.volume.voxelMm);
    beam.volume.size = options.size.value_or(beam.volume.size);
    beam.volume.slices = options.slices.value_or(beam.volume.slices);
    validate(beam, who);
    return turned(std::move(beam), options.rotateRad.value_or(0));
}

// Returns the angles without the rotation of the slices.
std::vector<double> unturnedAnglesOf(const Scan& scan)
{
    std::vector<double> angles = scan.anglesRad();
    for (double& angle : angles)
        angle -= rotationRadOf(scan.geometry);
    return angles;
}

std::shared_ptr<const Scan> withoutAssumedAxis(std::shared_ptr<Scan> scan)
{
    scan->axisAssumption = {};
    return scan;
}

} // namespace

ConeOptions saidOf(const Scan& scan)
{
    ConeOptions said;
    const auto* beam = std::get_if<ConeBeam>(&scan.geometry);
    if (!beam) {
        const auto* parallel = std::get_if<ParallelBeam>(&scan.geometry);
        if (!parallel)
            return said;
        said.pixelUMm = parallel->pixelSizeMm;
        if (parallel->sliceSize > 0)
            said.size = parallel->sliceSize;
        if (parallel->pixelBins != 1)
            said.voxelBins = parallel->pixelBins;
        if (parallel->rotationRad != 0)
            said.rotateRad = parallel->rotationRad;
        return said;
    }
    said = optionsOf(*beam);
    if (beam->volume == standardVolume(*beam)) {
        said.voxelMm.reset();
        said.size.reset();
        said.slices.reset();
    }
    return said;
}

std::shared_ptr<const Scan> takenAsCone(const Scan& scan, const ConeOptions& options)
{
    const auto* before = std::get_if<ConeBeam>(&scan.geometry);
    if (before && !before->isCircle())
        return withGeometry(scan, withVolume(*before, options, scan.name), scan.anglesReversed);
    ConeBeam beam = coneBeamFrom(options, scan.bins(), scan.rows, unturnedAnglesOf(scan), scan.name);
    if (!options.offsetUMm && !scan.axisBins().empty()) // the axis is known, possibly per projection
        beam.axisBins = scan.axisBins();
    const bool turned = options.direction == AngleDirection::clockwise;
    auto changed = withGeometry(scan, std::move(beam), scan.anglesReversed != turned);
    if (options.offsetUMm)
        changed->axisAssumption = {};
    return changed;
}

std::shared_ptr<const Scan> takenAsParallel(const Scan& scan)
{
    ParallelBeam beam;
    beam.bins = scan.bins();
    beam.anglesRad = unturnedAnglesOf(scan);
    if (scan.anglesReversed)
        for (double& angle : beam.anglesRad)
            angle = -angle;
    beam.pixelSizeMm = scan.pixelSizeMm();
    return withoutAssumedAxis(withGeometry(scan, std::move(beam), false));
}

std::shared_ptr<const Scan> takenOver(const Scan& scan, const AngleSpread& arc)
{
    ParallelBeam beam = parallelBeamOf(scan.geometry, "another arc");
    beam.anglesRad = anglesOf(arc, beam.projections());
    const std::shared_ptr<Scan> changed = withGeometry(scan, beam, scan.anglesReversed);
    changed->anglesAssumed = false;
    changed->assumedTurn.reset();
    return changed;
}

} // namespace engine
