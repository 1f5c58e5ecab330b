// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/support.h"

#include "engine/backends/backend.h"
#include "engine/base/error.h"
#include "engine/base/named_rows.h"

#include <algorithm>
#include <numbers>

namespace engine
{

namespace
{

std::vector<GeometryKind> makeKinds()
{
    ParallelBeam parallel;
    parallel.bins = 8;
    ConeBeam cone;
    cone.bins = cone.rows = 8;
    cone.sourceAxisMm = 100;
    cone.sourceDetectorMm = 200;
    cone.pixelUMm = cone.pixelVMm = 1;
    cone.centralRow = cone.middleRow();
    for (int p = 0; p < 6; ++p) {
        parallel.anglesRad.push_back(std::numbers::pi * p / 6);
        cone.anglesRad.push_back(2 * std::numbers::pi * p / 6);
    }
    parallel.axisBins = {parallel.middleBins()};
    cone.axisBins = {cone.middleBins()};
    cone.volume = standardVolume(cone);
    return {{"parallel", parallel}, {"cone", cone}};
}

// Returns a small, ordinary request for the method.
Request simplestFor(const Method& method)
{
    Geometry geometry;
    for (const GeometryKind& kind : geometryKinds())
        if (method.takes(kind.example)) {
            geometry = kind.example;
            break;
        }
    Kernel kernel{.method = method.id};
    if (!method.slicesPerPass.empty())
        kernel.slicesPerPass = method.slicesPerPass.front();
    return exampleRequest(geometry, kernel, {method.backend->id, 0});
}

} // namespace

std::span<const GeometryKind> geometryKinds()
{
    static const std::vector<GeometryKind> kinds = makeKinds();
    return kinds;
}

const GeometryKind& geometryKind(const std::string& id)
{
    return rowWithId(geometryKinds(), id, "geometry");
}

std::vector<std::string> geometriesOf(const Method& method)
{
    std::vector<std::string> labels;
    for (const GeometryKind& kind : geometryKinds())
        if (method.takes(kind.example))
            labels.push_back(labelOf(kind.example));
    return labels;
}

Request exampleRequest(const Geometry& geometry, const Kernel& kernel, const DeviceSettings& device, int slices)
{
    auto scan = std::make_shared<Scan>();
    scan->geometry = geometry;
    scan->rows = std::max(slices, binsOf(geometry));
    if (auto* cone = std::get_if<ConeBeam>(&scan->geometry))
        cone->volume.slices = std::max(slices, cone->volume.slices);
    Request request;
    request.scan = std::move(scan);
    request.setting.kernel = kernel;
    request.resources.device = device;
    request.place.setSlices({0, slices});
    return request;
}

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
