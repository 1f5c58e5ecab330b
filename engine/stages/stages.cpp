// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stages/stages.h"

#include "engine/backproject/method.h"
#include "engine/options/options.h"
#include "engine/scan/ray_weights.h"

namespace engine
{

namespace
{

// With the default in place of what means nothing, such as the order of a filter that has none.
Request withoutIdle(Request request)
{
    const Request standard;
    const Request asked = request;
    for (const Option& option : options())
        if (option.idle && option.idle(asked))
            if (const std::string text = option.get(standard); !text.empty()) // else see below
                option.set(request, text);
    request.setting.preparation = preparationSettingsOf(asked);
    if (request.setting.kernel.interpolation != Interpolation::oversampled)
        request.setting.kernel.oversampling = standard.setting.kernel.oversampling;
    if (const Method* method = findMethod(asked); method && !hasVariant(*method, asked.setting.kernel.variant))
        request.setting.kernel.variant.clear();
    return request;
}

// What the filtered rows of a scan depend on of its axis: of cone beams all; of parallel beams only which of their rays
// are weighted. Those that none are of share a key, that of the middle of the detector.
AxisSettings axisOfFilter(const Request& request)
{
    const AxisSettings& axis = request.setting.axis;
    const auto* beam = std::get_if<ParallelBeam>(&request.scan->geometry);
    if (!beam)
        return axis;
    const bool weighted = axis.mode == AxisSettings::Mode::given &&
                          oneSided(parallelBeamOf(withAxis(*beam, axis.bins), "filtering")).has_value();
    const bool unknown = axis.mode == AxisSettings::Mode::automatic || axis.mode == AxisSettings::Mode::find;
    if (weighted || (unknown && isFullTurn(beam->anglesRad)))
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

PreparedKey preparedKey(const Request& request)
{
    Request whole = request; // a preview and the parts of a slice are of the same rows, which are filtered once
    whole.place.region.reset();
    whole.place.previewStep = 1;
    return {request.scan, rowsFor(request.scan->geometry, gridOf(whole)), preparationSettingsOf(request),
            request.place.projections};
}

AxisKey axisKey(const Request& request)
{
    return {request.scan, preparationSettingsOf(request)};
}

FilteredKey filteredKey(const Request& request, FilterPrecision precision)
{
    FilteredKey key{preparedKey(request), withoutIdle(request).setting.filter, precision};
    key.axis = axisOfFilter(request);
    return key;
}

ImageKey imageKey(const Request& request)
{
    ImageKey key = withoutIdle(request);
    key.resources.memoryLimitBytes = 0; // how many slices of a volume are under way, not what they are
    key.resources.others.clear();       // of volumes alone
    return key;
}

} // namespace engine
