// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/performance_problem.h"

#include "engine/request/section.h"
#include "engine/scan/samples.h"
#include "engine/stages/stages.h"
#include "engine/volume/volume_plan.h"

#include <cmath>

namespace engine
{

Problem problemOf(const Request& request, double storedBytes)
{
    const Scan& scan = *request.scan;
    const VolumeGrid grid = sectionOf(request).grid;
    const SampleType* type = findSampleType(scan.sampleType);
    Problem problem{.bins = scan.bins(), .rows = rowsFor(scan.geometry, grid).count, .projections = scan.projections()};
    problem.sizeX = grid.width;
    problem.sizeY = grid.height;
    problem.sizeZ = grid.slices;
    problem.bytesPerSample = type ? type->bytes : scan.bytesPerSample;
    problem.bytesPerVoxel = storedBytes;
    if (const auto* cone = std::get_if<ConeBeam>(&scan.geometry); cone && cone->isCircle())
        problem.coneRatio = cone->volume.size * cone->volume.voxelMm / std::sqrt(2.0) / cone->sourceAxisMm;
    problem.inPairs = inPairs(request).place.pairsOf().has_value();
    return problem;
}

} // namespace engine
