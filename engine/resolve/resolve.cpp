// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/resolve/resolve.h"

#include "engine/backends/devices.h"
#include "engine/backends/measured_speeds.h"
#include "engine/stages/stages.h"

namespace engine
{

namespace
{

Route routeOf(const Request& request, const Method& method, const Preparation& preparation, const Machine& machine)
{
    Route route{.precision = method.filterPrecision,
                .filtersOnDevice = filtersItself(method, request, machine),
                .whyNotOnDevice = {},
                .virtualBins = virtualBinsOf(request)};
    const bool isPossible = method.preparesToo && (!request.place.plane() || route.filtersOnDevice) &&
                            request.resources.filterOn != FilterOn::processor && request.place.previewStep == 1 &&
                            request.scan->bins() <= mostBinsOnDevices;
    route.mayPrepareOnDevice = isPossible && isForDevices(preparation);
    if (isPossible && !route.mayPrepareOnDevice)
        route.whyNotOnDevice =
            "The processor prepared the projections: the GPU can't do " + notForDevices(preparation) + ".";
    return route;
}

} // namespace

Plan resolve(const Request& request, const Machine& machine)
{
    validate(request, machine);
    return resolve(request, methodFor(request, machine), machine);
}

Plan resolve(const Request& request, const Method& method, const Machine& machine)
{
    Plan plan{.request = request,
              .method = &method,
              .kernel = request.setting.kernel,
              .deviceIndex = deviceIndexFor(method, request.resources.device, machine),
              .section = sectionOf(request),
              .preparation = preparationOf(request),
              .route = {},
              .rows = {}};
    plan.rows = rowsFor(request.scan->geometry, plan.section.needed);
    plan.route = routeOf(request, method, plan.preparation, machine);
    const std::string tuning = measuredVariant(method, request, machine);
    plan.isTuned = !tuning.empty();
    if (plan.isTuned || !hasVariant(method, plan.kernel.variant))
        plan.kernel.variant = tuning;
    return plan;
}

} // namespace engine
