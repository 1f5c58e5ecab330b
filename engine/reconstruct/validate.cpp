// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/method.h"
#include "engine/base/error.h"
#include "engine/options/options.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

void validateAngles(const Scan& scan)
{
    require(scan.bins() >= 1 && scan.projections() >= 1, scan.name + " has no projections");
    const std::vector<double>& anglesRad = scan.anglesRad();
    const auto bad = std::ranges::find_if_not(anglesRad, [](double angle) { return std::isfinite(angle); });
    if (bad != anglesRad.end())
        throw Error(ErrorKind::badRequest, scan.name + ": the angle of projection " +
                                               std::to_string(bad - anglesRad.begin()) + " is not a number");
}

void validateRegion(const Region& region, int size)
{
    const bool inside = region.column >= 0 && region.row >= 0 && region.width >= 1 && region.height >= 1 &&
                        region.column <= size - region.width && region.row <= size - region.height;
    require(inside, "region " + std::to_string(region.width) + "×" + std::to_string(region.height) + " at (" +
                        std::to_string(region.column) + ", " + std::to_string(region.row) +
                        ") does not lie inside the slice of " + std::to_string(size) + "×" + std::to_string(size));
}

void validateSlab(const Request& request)
{
    const Slab& slab = *request.place.slab;
    const int size = request.scan->sliceSize();
    require(!request.place.region && !request.place.pairsOf,
            "a slab can't be combined with a region or with pairs of slices");
    require(std::isfinite(slab.angleDeg) && slab.width >= 1 && slab.thickness >= 1 && slab.column >= 0 &&
                slab.row >= 0 && slab.column <= size - 1 && slab.row <= size - 1,
            "the slab " + toText(slab) + " has no area, or its middle does not lie inside the slice of " +
                std::to_string(size) + "×" + std::to_string(size));
}

// Validates a request for some of the projections.
void validateProjections(const Request& request)
{
    const auto& [first, count] = *request.place.projections;
    const Scan& scan = *request.scan;
    require(first >= 0 && count >= 1 && first <= scan.projections() - count,
            "projections " + std::to_string(first) + " to " + std::to_string(first + count - 1) + " of " +
                std::to_string(scan.projections()));
    coneBeamOf(scan.geometry, "A sum of selected projections");
    for (const PlannedStep& planned : preparationOf(request).steps)
        require(!planned.on || !planned.step->takesAllProjections,
                "'" + std::string(planned.step->id) + "' needs all projections together: they can't be divided");
}

} // namespace

void validate(const Request& request)
{
    require(request.scan != nullptr, "no scan is open");
    const Scan& scan = *request.scan;
    validateAngles(scan);
    const int bins = scan.bins();
    const RowRange slices = request.place.pairsOf.value_or(request.place.slices);
    require(slices.count >= 1 && slices.first >= 0 && slices.first <= scan.slices() - slices.count,
            (slices.count == 1 ? "slice " + std::to_string(slices.first) + " was"
                               : "slices " + std::to_string(slices.first) + " to " +
                                     std::to_string(slices.first + slices.count - 1) + " were") +
                " requested; " + scan.name + " has slices 0 to " + std::to_string(scan.slices() - 1));
    if (const auto* cone = std::get_if<ConeBeam>(&scan.geometry))
        validate(*cone, scan.name);
    if (request.setting.axis.mode == AxisSettings::Mode::given)
        require(request.setting.axis.bins >= -0.5 && request.setting.axis.bins <= bins - 0.5,
                "the axis at bin " + toText(request.setting.axis) + " lies outside the detector (bins 0 to " +
                    std::to_string(bins - 1) + ")");
    validateOptions(request);
    if (const auto objection = objectionTo(preparationOf(request), scan.quantity))
        throw Error(ErrorKind::badRequest, *objection);
    require(request.place.previewStep >= 1, "the preview step must be at least 1");
    if (request.place.region)
        validateRegion(*request.place.region, scan.sliceSize());
    if (request.place.slab)
        validateSlab(request);
    if (request.place.projections)
        validateProjections(request);
    if (request.place.plane)
        validate(*request.place.plane, volumeOf(scan));
    methodFor(request);
}

} // namespace engine
