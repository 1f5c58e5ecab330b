// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/options/options.h"
#include "engine/resolve/resolve.h"
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
    const Slab slab = *request.place.slab();
    const int size = request.scan->sliceSize();
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
    if (const std::string why = whyNotInParts(request); !why.empty())
        throw Error(ErrorKind::badRequest, "some of the projections were requested, but " + why);
}

void validateSlices(const Request& request)
{
    const Scan& scan = *request.scan;
    const RowRange slices = request.place.pairsOf().value_or(request.place.slices());
    require(slices.count >= 1 && slices.first >= 0 && slices.first <= scan.slices() - slices.count,
            (slices.count == 1 ? "slice " + std::to_string(slices.first) + " was"
                               : "slices " + std::to_string(slices.first) + " to " +
                                     std::to_string(slices.first + slices.count - 1) + " were") +
                " requested; " + scan.name + " has slices 0 to " + std::to_string(scan.slices() - 1));
}

void validatePart(const Request& request)
{
    const Place& place = request.place;
    require(place.previewStep >= 1, "the preview step must be at least 1");
    if (place.region())
        validateRegion(*place.region(), request.scan->sliceSize());
    if (place.slab())
        validateSlab(request);
    if (place.projections)
        validateProjections(request);
    if (place.plane())
        validate(*place.plane(), volumeOf(*request.scan));
}

void validateAxis(const Request& request)
{
    const int bins = request.scan->bins();
    const AxisSettings& axis = request.setting.axis;
    require(axis.mode != AxisSettings::Mode::given || (axis.bins >= -0.5 && axis.bins <= bins - 0.5),
            "the axis at bin " + toText(axis) + " lies outside the detector (bins 0 to " + std::to_string(bins - 1) +
                ")");
}

void validatePreparation(const Request& request)
{
    if (const auto objection = objectionTo(preparationOf(request), request.scan->quantity))
        throw Error(ErrorKind::badRequest, *objection);
}

} // namespace

std::optional<Refusal> refusalOfMethod(const Request& request, const Machine& machine)
{
    try {
        if (const auto problem = transformProblem(methodFor(request, machine), request, machine))
            return Refusal{Refusal::About::method, ErrorKind::device, *problem};
        return {};
    } catch (const Error& error) {
        return Refusal{Refusal::About::method, error.kind(), error.text()};
    }
}

std::vector<Refusal> refusalsOf(const Request& request, const Machine& machine)
{
    using About = Refusal::About;
    if (!request.scan)
        return {{About::scan, ErrorKind::badRequest, "no scan is open"}};
    std::vector<Refusal> refusals;
    const auto check = [&](About about, const auto& validation) {
        try {
            validation();
        } catch (const Error& error) {
            refusals.push_back({about, error.kind(), error.text()});
        }
    };
    check(About::scan, [&] { validateAngles(*request.scan); });
    if (!refusals.empty())
        return refusals;
    check(About::place, [&] { validateSlices(request); });
    if (const auto* cone = std::get_if<ConeBeam>(&request.scan->geometry))
        check(About::scan, [&] { validate(*cone, request.scan->name); });
    check(About::setting, [&] { validateAxis(request); });
    check(About::setting, [&] { validateOptions(request); });
    check(About::preparation, [&] { validatePreparation(request); });
    check(About::place, [&] { validatePart(request); });
    if (const std::optional<Refusal> refusal = refusalOfMethod(request, machine))
        refusals.push_back(*refusal);
    return refusals;
}

void validate(const Request& request, const Machine& machine)
{
    if (const std::vector<Refusal> refusals = refusalsOf(request, machine); !refusals.empty())
        throw Error(refusals.front().kind, refusals.front().text);
}

} // namespace engine
