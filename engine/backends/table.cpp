// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/devices.h"
#include "engine/backends/measured_speeds.h"
#include "engine/backends/method.h"
#include "engine/backends/plane_launch.h"
#include "engine/base/error.h"
#include "engine/request/section.h"

#include <algorithm>
#include <vector>

namespace engine
{

std::span<const Method> methods()
{
    static const std::vector<Method> table = [] {
        std::vector<Method> rows;
        for (const Backend* backend : backends())
            for (const Method& method : backend->methods())
                rows.emplace_back(method).backend = backend;
        return rows;
    }();
    return table;
}

const Method* findMethod(const std::string& id)
{
    for (const Method& method : methods())
        if (id == method.id)
            return &method;
    return nullptr;
}

const Method* findMethod(const std::string& id, const Geometry& geometry)
{
    for (const Method& method : methods())
        if (id == method.id && method.takes(geometry))
            return &method;
    return findMethod(id);
}

const Method* findMethod(const Request& request)
{
    return findMethod(request.setting.kernel.method, geometryOf(request));
}

std::vector<const Method*> methodsFor(const Geometry& geometry)
{
    std::vector<const Method*> rows;
    for (const Method& method : methods())
        if (method.takes(geometry))
            rows.push_back(&method);
    return rows;
}

bool takesParallelBeam(const Geometry& geometry)
{
    return std::holds_alternative<ParallelBeam>(geometry);
}
bool takesConeBeam(const Geometry& geometry)
{
    return std::holds_alternative<ConeBeam>(geometry);
}

namespace
{

// Returns why the method's device, or the method on it, can't do the request; nothing if both can.
std::optional<std::string> limitsOf(const Method& method, const Request& request, const Machine& machine)
{
    if (const auto problem = deviceProblem(*method.backend, request.resources.device, machine))
        return problem;
    return method.unsupported(request, machine);
}

// Returns whether the method can reconstruct the request's plane, of voxels, as such, and faster so.
bool launchesVoxelPlane(const Method& method, const Request& request, const Machine& machine)
{
    const std::string& wanted = request.setting.kernel.method;
    const bool isSlice = boxOf(*request.place.plane(), volumeOf(*request.scan))->slices == 1;
    return method.planes >= (isSlice ? PlaneSupport::all : PlaneSupport::acrossSlices) &&
           mayUse(*method.backend, request.resources.device) && (wanted == "auto" || wanted == method.id) &&
           method.takes(geometryOf(request)) && !planeLimits(method, request) && !limitsOf(method, request, machine);
}

} // namespace

bool isLaunchedAsPlane(const Request& request, const Machine& machine)
{
    const Place& place = request.place;
    if (!place.plane() || !sectionOf(request).isOfVoxels)
        return place.plane().has_value();
    return place.othersFollow() && std::ranges::any_of(methods(), [&](const Method& method) {
               return launchesVoxelPlane(method, request, machine);
           });
}

std::optional<std::string> refusalOf(const Method& method, const Request& request, const Machine& machine)
{
    if (const Geometry& geometry = geometryOf(request); !method.takes(geometry))
        return "`" + std::string(method.id) + "` doesn't support scans of a " + labelOf(geometry);
    if (isLaunchedAsPlane(request, machine)) {
        if (method.planes == PlaneSupport::none)
            return "`" + std::string(method.id) + "` reconstructs slices, not planes in other directions" +
                   (method.backend->isProcessor ? "; `cpu` does" : "; the device cpu does");
        if (const auto problem = planeLimits(method, request))
            return problem;
    }
    return limitsOf(method, request, machine);
}

bool filtersItself(const Method& method, const Request& request, const Machine& machine)
{
    if (request.place.plane() &&
        (method.planes == PlaneSupport::none || request.resources.filterOn == FilterOn::processor))
        return false;
    return method.filters && method.filters(request, machine);
}

const char* familyOf(const Method& method)
{
    return method.family ? method.family : method.id;
}

std::optional<std::string> transformProblem(const Method& method, const Request& request, const Machine& machine)
{
    const bool isOwn =
        request.setting.kernel.transform == FilterTransform::own || request.setting.filter.window == Window::none;
    if (isOwn || !method.backend->transformProblem || !filtersItself(method, request, machine))
        return std::nullopt;
    const auto problem = machine.transformProblem(*method.backend);
    return problem ? std::optional(*problem + "; or choose the program's own kernel for the filter") : std::nullopt;
}

std::vector<Variant> variantsOf(const Method& method)
{
    return method.variants ? method.variants() : std::vector<Variant>();
}

bool hasVariant(const Method& method, const std::string& variant)
{
    if (variant.empty())
        return true;
    const std::vector<Variant> known = variantsOf(method);
    return std::ranges::any_of(known, [&](const Variant& row) { return row.id == variant; });
}

namespace
{

std::string knownIds()
{
    std::string ids = "auto";
    for (const Method& method : methods())
        ids += std::string(", ") + method.id;
    return ids;
}

// Returns whether `auto` may take the method in place of another one because it was measured faster: on the same
// device, and never with the coarser weights of the texture unit where these show.
bool mayReplace(const Method& method, const Method& other, const Kernel& kernel)
{
    const bool isCoarser = method.textureWeights && !other.textureWeights && kernel.precision == Precision::single &&
                           kernel.interpolation != Interpolation::nearest;
    return method.rank && method.backend == other.backend && !isCoarser;
}

// A method and one of its slice modes.
struct MethodInMode {
    const Method* method;
    int slices;
};

// Returns what was measured clearly faster than `ranked` in the request's slice mode, and fastest; else just that.
// anyMode: also other modes that the request's slices fill.
MethodInMode measuredBest(const Method& ranked, const Request& request, bool anyMode, const Machine& machine)
{
    const int asked = request.setting.kernel.slicesPerPass;
    MethodInMode best{&ranked, asked};
    const auto rankedGups = measuredGups(ranked, request, machine);
    if (!rankedGups)
        return best;
    double fastest = clearlyFaster * *rankedGups;
    for (const Method& method : methods()) {
        if (!mayReplace(method, ranked, request.setting.kernel))
            continue;
        for (const int slices : method.slicesPerPass) {
            if (anyMode ? slices > request.place.slices().count : slices != asked)
                continue;
            Request one = request;
            one.setting.kernel.slicesPerPass = slices;
            if (refusalOf(method, one, machine))
                continue;
            if (const auto gups = measuredGups(method, one, machine); gups.value_or(0) > fastest) {
                best = {&method, slices};
                fastest = *gups;
            }
        }
    }
    return best;
}

// Returns the method with the highest rank that can do the request on its device, or one that was measured faster. If
// there is none, returns nullptr and the reason why one method can't. That method is chosen among those that accept the
// geometry, or among all if none does: the processor's method if it may be used, else the last GPU method in the table.
const Method* bestFor(const Request& request, const Machine& machine, std::optional<std::string>& reason)
{
    const Method* best = nullptr;
    int highest = 0, nearest = 0; // nearest: 2 if the reason is from a method that accepts the geometry, 1 if not
    const auto table = methods();
    for (auto row = table.rbegin(); row != table.rend(); ++row) {
        if (!row->rank || !mayUse(*row->backend, request.resources.device))
            continue;
        if (const auto problem = refusalOf(*row, request, machine)) {
            const bool isProcessor = row->backend->isProcessor;
            const int near = row->takes(geometryOf(request)) ? 2 : 1;
            if (!reason || near > nearest || (near == nearest && isProcessor))
                reason = problem;
            nearest = std::max(near, nearest);
        } else if (const int rank = row->rank(request); rank > highest) {
            highest = rank;
            best = &*row;
        }
    }
    return best ? measuredBest(*best, request, false, machine).method : nullptr;
}

const Method& marked(bool Method::*mark, const Geometry& geometry)
{
    for (const Method& method : methods())
        if (method.*mark && method.takes(geometry))
            return method;
    throw Error(ErrorKind::badRequest, "there is no reference method for scans of a " + labelOf(geometry));
}

} // namespace

const Method& yardstick(const Geometry& geometry)
{
    return marked(&Method::yardstick, geometry);
}

const Method& referenceMethod(const Geometry& geometry)
{
    return marked(&Method::isReference, geometry);
}

const Method& referenceMethodFor(const Request& request, const Machine& machine)
{
    const auto table = methods();
    for (auto row = table.rbegin(); row != table.rend(); ++row)
        if (row->isReference && !refusalOf(*row, request, machine))
            return *row;
    const Method& slow = yardstick(geometryOf(request)); // with all interpolations
    return refusalOf(slow, request, machine) ? referenceMethod(geometryOf(request)) : slow;
}

const Method* processorMethodFor(Request& request, const Machine& machine)
{
    std::optional<std::string> reason;
    const Method* failed = findMethod(request);
    request.setting.kernel.method = "auto";
    request.resources.device = {processorBackend().id, 0};
    if (request.place.plane()) // the processor has floats only
        request.setting.kernel.precision = Precision::single;
    if (failed && failed->filterPrecision == FilterPrecision::float64)
        for (const Method* exact : {&referenceMethod(geometryOf(request)), &yardstick(geometryOf(request))})
            if (!refusalOf(*exact, request, machine))
                return exact;
    if (const Method* method = bestFor(request, machine, reason))
        return method;
    request.setting.kernel.slicesPerPass =
        slicesPerPassFor(request, machine); // the requested mode may exist only on GPUs
    return bestFor(request, machine, reason);
}

const Method& methodFor(const Request& request, const Machine& machine)
{
    const bool automatic = request.setting.kernel.method == "auto";
    const Method* named = findMethod(request);
    if (!automatic && !named)
        throw Error(ErrorKind::badRequest,
                    "unknown method '" + request.setting.kernel.method + "'; choose one of " + knownIds());
    const DeviceSettings& device = request.resources.device;
    requireDevice(device, "; choose another device, or cpu", machine);
    if (named) {
        if (const auto reason = refusalOf(*named, request, machine)) {
            const bool missing =
                device.isAutomatic() && named->backend->isAutomatic && deviceProblem(*named->backend, {}, machine);
            throw Error(missing ? ErrorKind::device : ErrorKind::badRequest, *reason);
        }
        return *named;
    }
    std::optional<std::string> reason;
    if (const Method* best = bestFor(request, machine, reason))
        return *best;
    if (!device.isAutomatic() && !backendOf(device).isProcessor)
        throw Error(ErrorKind::badRequest, std::string("no method for ") + backendOf(device).deviceLabel +
                                               "s in this build supports this request" +
                                               (reason ? ": " + *reason : "; choose the device cpu"));
    throw Error(ErrorKind::badRequest, reason.value_or("no method supports this request"));
}

namespace
{

// Returns the largest slice mode that the request's slices fill, that is worthwhile, and in which the method can do the
// request; 0 if there is none.
int largestFilledMode(const Method& method, Request request, const Machine& machine)
{
    int largest = 0;
    for (const int slices : method.slicesPerPass) {
        request.setting.kernel.slicesPerPass = slices;
        if (slices <= request.place.slices().count && (!method.worthwhile || method.worthwhile(request)) &&
            !refusalOf(method, request, machine))
            largest = slices;
    }
    return largest;
}

} // namespace

int slicesPerPassFor(const Request& request, const Machine& machine)
{
    if (const Method* named = findMethod(request)) {
        const int filled = largestFilledMode(*named, request, machine);
        return filled > 0 ? filled : named->slicesPerPass.front(); // the rest of the pass is empty
    }
    const std::span<const Backend* const> all = backends();
    for (auto backend = all.rbegin(); backend != all.rend(); ++backend) {
        if (!mayUse(**backend, request.resources.device))
            continue;
        const Method* best = nullptr;
        int rank = 0;
        Request filled = request;
        filled.setting.kernel.slicesPerPass = 0;
        for (const Method& method : methods())
            if (const int largest =
                    method.backend == *backend && method.rank ? largestFilledMode(method, request, machine) : 0) {
                Request one = request;
                one.setting.kernel.slicesPerPass = largest;
                if (std::pair(method.rank(one), largest) > std::pair(rank, filled.setting.kernel.slicesPerPass)) {
                    best = &method;
                    rank = method.rank(one);
                    filled = one;
                }
            }
        if (best)
            return measuredBest(*best, filled, true, machine).slices;
    }
    return 1;
}

} // namespace engine
