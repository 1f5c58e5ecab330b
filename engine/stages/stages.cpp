// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stages/stages.h"

#include "engine/backends/method.h"
#include "engine/options/options.h"
#include "engine/prepare/virtual_detector.h"
#include "engine/request/section.h"
#include "engine/scan/ray_weights.h"

namespace engine
{

namespace
{

// Returns the request with defaults for options that have no effect, such as the order of a filter without one.
Request withoutIdle(Request request)
{
    const Request standard;
    const Request asked = request;
    for (const Option& option : options())
        if (option.idle && option.idle(asked))
            // Options whose default is an empty text are reset below.
            if (const std::string text = option.get(standard); !text.empty())
                option.set(request, text);
    request.setting.preparation = preparationSettingsOf(asked);
    if (request.setting.kernel.interpolation != Interpolation::oversampled)
        request.setting.kernel.oversampling = standard.setting.kernel.oversampling;
    if (const Method* method = findMethod(asked); method && !hasVariant(*method, asked.setting.kernel.variant))
        request.setting.kernel.variant.clear();
    return request;
}

// Returns the part of the axis settings that the filtered rows depend on. Cone beams: all. Parallel beams: only which
// rays are weighted; if none are, all axes share one key, that of the middle of the detector.
AxisSettings axisOfFilter(const Request& request)
{
    const AxisSettings& axis = request.setting.axis;
    const auto* beam = std::get_if<ParallelBeam>(&request.scan->geometry);
    if (!beam)
        return axis;
    const bool weighted = axis.mode == AxisSettings::Mode::given &&
                          oneSided(parallelBeamOf(withAxis(*beam, axis.bins), "filtering")).has_value();
    const bool unknown = axis.mode == AxisSettings::Mode::automatic || axis.mode == AxisSettings::Mode::find;
    if (weighted || (unknown && isFullTurn(beam->anglesRad, mostGapRad)))
        return axis;
    AxisSettings none;
    none.mode = AxisSettings::Mode::middle;
    return none;
}

} // namespace

PreparationSettings preparationSettingsOf(const Request& request)
{
    return withoutIdle(request.setting.preparation, request.scan ? request.scan->quantity : Quantity::counts,
                       !request.scan || std::holds_alternative<ParallelBeam>(request.scan->geometry));
}

Preparation preparationOf(const Request& request)
{
    return preparationOf(*request.scan, preparationSettingsOf(request));
}

RowRange rowsToRead(const Request& request, const RowRange& rows)
{
    return withHalo(rows, preparationOf(request), request.scan->rows);
}

RowRange rowsToRead(const PreparedKey& wanted)
{
    return withHalo(wanted.rows, preparationOf(*wanted.scan, wanted.preparation), wanted.scan->rows);
}

std::string whyNotInParts(const Request& request)
{
    if (!std::holds_alternative<ConeBeam>(request.scan->geometry))
        return "only the slices of a parallel beam can be divided, not its projections";
    for (const PlannedStep& planned : preparationOf(request).steps)
        if (planned.on && planned.step->takesAllProjections)
            return "'" + std::string(planned.step->id) + "' needs all projections together";
    if (request.scan->quantity == Quantity::counts && request.scan->flatFrames == 0)
        return "without flat frames all projections are needed to find the air";
    return {};
}

PreparedKey preparedKey(const Request& request)
{
    // Previews and regions use the same rows, which are filtered once.
    return {request.scan, rowsFor(request.scan->geometry, sectionOf(request).needed), preparationSettingsOf(request),
            request.place.projections};
}

AxisKey axisKey(const Request& request)
{
    return {request.scan, preparationSettingsOf(request)};
}

FilteredKey filteredKey(const Request& request, FilterPrecision precision)
{
    const Setting setting = withoutIdle(request).setting;
    FilteredKey key{preparedKey(request), setting.filter, precision};
    key.axis = axisOfFilter(request);
    key.transform = setting.kernel.transform;
    return key;
}

ImageKey imageKey(const Request& request)
{
    ImageKey key = withoutIdle(request);
    key.resources.memoryLimitBytes = 0; // affects how many slices are processed together, not their values
    key.resources.memoryInUseBytes = 0;
    key.resources.others.clear(); // affects volumes only
    if (auto* of = std::get_if<PlanePart>(&key.place.part))
        of->othersFollow = false; // affects which rows are kept
    return key;
}

std::optional<int> virtualBinsOf(const Request& request)
{
    const Geometry& recorded = request.scan->geometry;
    const auto* cone = std::get_if<ConeBeam>(&recorded);
    const bool fixed = cone && !cone->isCircle();
    const AxisSettings& axis = request.setting.axis;
    const bool given = !fixed && axis.mode == AxisSettings::Mode::given;
    const bool unknown = !fixed && (axisBinsOf(recorded).empty() || axis.mode == AxisSettings::Mode::middle);
    const VirtualDetector detector(given || unknown ? withAxis(recorded, given ? axis.bins : middleBinsOf(recorded))
                                                    : recorded);
    return detector.isRecorded() ? std::nullopt : std::optional(detector.bins(request.scan->bins()));
}

} // namespace engine
