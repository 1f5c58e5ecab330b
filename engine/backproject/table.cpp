#include "engine/backproject/method.h"
#include "engine/cuda/devices.h"
#include "engine/error.h"

#include <algorithm>
#include <array>

namespace engine
{

std::span<const Method> methods()
{
    // From the slowest to the fastest: `auto` takes the last that can do a request, of those it may take.
    static const std::array table = {exactMethod,   doubleMethod, cpuMethod, standardMethod,
                                     textureMethod, hybridMethod, aluMethod, tensorMethod};
    return table;
}

const Method* findMethod(const std::string& id)
{
    for (const Method& method : methods())
        if (id == method.id)
            return &method;
    return nullptr;
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

void requireCudaDevice(const DeviceSettings& device)
{
    const CudaDevices found = cudaDevices();
    const auto sameIndex = [&](const CudaDevice& candidate) { return candidate.index == device.index; };
    if (std::any_of(found.devices.begin(), found.devices.end(), sameIndex))
        return;
    const std::string reason =
        found.reason.empty() ? std::to_string(found.devices.size()) + " can be used" : found.reason;
    throw Error(ErrorKind::device, "there is no NVIDIA GPU " + std::to_string(device.index) + " (" + reason +
                                       "); choose another device, or cpu");
}

} // namespace

const Method& methodFor(const Request& request)
{
    const bool automatic = request.method == "auto";
    const Method* named = findMethod(request.method);
    if (!automatic && !named)
        throw Error(ErrorKind::badRequest, "unknown method '" + request.method + "'; choose one of " + knownIds());
    const bool cuda = request.device.kind == DeviceSettings::Kind::cuda;
    if (cuda)
        requireCudaDevice(request.device);
    if (named) {
        if (const auto reason = named->unsupported(request))
            throw Error(ErrorKind::badRequest, *reason);
        return *named;
    }
    // The exception to the table's order, on an H200: 5511 GU/s against 5325 by `alu` (cuda/hybrid.cu).
    const bool hybridIsFaster = request.precision == Precision::half &&
                                request.interpolation == Interpolation::linear && request.slicesPerPass == 4;
    if (hybridIsFaster && !hybridMethod.unsupported(request))
        return *findMethod(hybridMethod.id);
    std::optional<std::string> reason; // of the best row for the processor, which every machine has
    const auto table = methods();
    for (auto row = table.rbegin(); row != table.rend(); ++row) {
        if (!row->automatic || (cuda && row->device != DeviceSettings::Kind::cuda))
            continue;
        const auto problem = row->unsupported(request);
        if (!problem)
            return *row;
        if (!reason || row->device == DeviceSettings::Kind::cpu)
            reason = problem;
    }
    if (cuda)
        throw Error(ErrorKind::badRequest, "no method for NVIDIA GPUs in this build takes this request" +
                                               (reason ? ": " + *reason : "; choose the device cpu"));
    throw Error(ErrorKind::badRequest, reason.value_or("no method takes this request"));
}

namespace
{

// 0 when the method can't do the request with any.
int largestFilledMode(const Method& method, Request request)
{
    int largest = 0;
    for (const int slices : method.slicesPerPass) {
        // A Zen 4 core, float, whole slices of 512²: 15.7 GU/s with 32 and 14.9 with 64, which take twice the memory.
        const bool tooMany = slices > request.slices.count || (&method == findMethod(cpuMethod.id) && slices > 32 &&
                                                               request.precision == Precision::single);
        // From where `tensor` is faster than `alu` and `hybrid` with 4 slices (an H200, tests/bench/results).
        const int pays = request.precision == Precision::half
                             ? (request.interpolation == Interpolation::linear ? 8 : 16)
                             : (request.interpolation == Interpolation::cubic ? 32 : 16);
        const bool tooFew = request.method == "auto" && &method == findMethod(tensorMethod.id) && slices < pays;
        request.slicesPerPass = slices;
        if (!tooFew && !tooMany && !method.unsupported(request))
            largest = slices;
    }
    return largest;
}

} // namespace

int slicesPerPassFor(const Request& request)
{
    if (const Method* named = findMethod(request.method)) {
        const int filled = largestFilledMode(*named, request);
        return filled > 0 ? filled : named->slicesPerPass.front(); // the rest of the pass is empty
    }
    int largest = 0;
    for (const auto kind : {DeviceSettings::Kind::cuda, DeviceSettings::Kind::cpu}) {
        for (const Method& method : methods())
            if (method.device == kind && method.automatic)
                largest = std::max(largest, largestFilledMode(method, request));
        if (largest > 0)
            return largest;
    }
    return 1;
}

} // namespace engine
