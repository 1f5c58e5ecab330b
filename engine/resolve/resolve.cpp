// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/resolve/resolve.h"

#include "engine/backproject/gpu_choice.h"
#include "engine/backproject/measured_speeds.h"
#include "engine/backproject/method.h"
#include "engine/stages/stages.h"

namespace engine
{

namespace
{

Route routeOf(const Request& request, const Method& method, const Preparation& preparation)
{
    Route route{.precision = method.filterPrecision,
                .filtersOnDevice = filtersItself(method, request),
                .whyNotOnDevice = {},
                .virtualBins = virtualBinsOf(request)};
    const bool isPossible = method.preparesToo && (!request.place.plane || route.filtersOnDevice) &&
                            request.resources.filterOn != FilterOn::processor && request.place.previewStep == 1 &&
                            request.scan->bins() <= mostBinsOnDevices;
    route.mayPrepareOnDevice = isPossible && isForDevices(preparation);
    if (isPossible && !route.mayPrepareOnDevice)
        route.whyNotOnDevice =
            "The processor prepared the projections: the GPU can't do " + notForDevices(preparation) + ".";
    return route;
}

} // namespace

Plan resolve(const Request& request)
{
    return resolve(request, methodFor(request));
}

Plan resolve(const Request& request, const Method& method)
{
    Plan plan{.request = request,
              .method = &method,
              .kernel = request.setting.kernel,
              .deviceIndex = deviceIndexFor(method, request.resources.device),
              .section = sectionOf(request),
              .preparation = preparationOf(request),
              .route = {},
              .rows = {}};
    plan.rows = rowsFor(request.scan->geometry, plan.section.needed);
    plan.route = routeOf(request, method, plan.preparation);
    const std::string tuning = measuredVariant(method, request);
    plan.isTuned = !tuning.empty();
    if (plan.isTuned || !hasVariant(method, plan.kernel.variant))
        plan.kernel.variant = tuning;
    return plan;
}

} // namespace engine
