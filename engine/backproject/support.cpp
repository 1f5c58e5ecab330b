#include "engine/backproject/support.h"

#include <algorithm>

namespace engine
{

namespace
{

// A small request that asks for nothing out of the ordinary.
Request simplestFor(const Method& method)
{
    auto scan = std::make_shared<Scan>();
    scan->geometry = ParallelBeam{8, {0.0, 0.5, 1.0, 1.5, 2.0, 2.5}, {}, std::nullopt};
    scan->rows = 8;
    Request request;
    request.scan = std::move(scan);
    request.setting.kernel.method = method.id;
    request.resources.device.kind = method.device;
    if (!method.slicesPerPass.empty())
        request.setting.kernel.slicesPerPass = method.slicesPerPass.front();
    return request;
}

} // namespace

MethodSupport supportOf(const Method& method)
{
    MethodSupport support;
    std::optional<std::string> reason;
    for (const auto interpolation :
         {Interpolation::nearest, Interpolation::linear, Interpolation::oversampled, Interpolation::cubic}) {
        bool any = false;
        for (const auto precision : {Precision::single, Precision::half}) {
            Request request = simplestFor(method);
            request.setting.kernel.interpolation = interpolation;
            request.setting.kernel.precision = precision;
            if (const auto refusal = refusalOf(method, request)) {
                reason = reason ? reason : refusal;
                continue;
            }
            any = true;
            if (std::find(support.precisions.begin(), support.precisions.end(), precision) == support.precisions.end())
                support.precisions.push_back(precision);
        }
        if (any)
            support.interpolations.push_back(interpolation);
    }
    if (support.interpolations.empty())
        support.unusable = reason;
    return support;
}

} // namespace engine
