// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/limits.h"

#include "engine/backproject/gpu_choice.h"
#include "engine/backproject/method.h"
#include "engine/backproject/parallel/cpu/kernels.h"
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/resource_texts.h"
#include "engine/opencl/devices.h"
#include "engine/request/setting.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <thread>
#include <variant>

namespace engine
{

namespace
{

constexpr double mostlyBusy = 0.7; // share of a unit's rate from which the unit is said to limit the kernel
constexpr int fewestInLanes = 8;   // slices per pass from which `cpu` puts slices into the lanes of vectors

// Operations of an update; 0: none, or not counted.
struct Operations {
    double texels = 0, sharedBytes = 0, instructions = 0, tensorProducts = 0; // as GpuPeaks
    double multiplyAdds = 0, shuffles = 0, loads = 0, fixedPairs = 0;         // as ProcessorPeaks
    double fetches = 0, localBytes = 0;                                       // as OpenClPeaks, with multiplyAdds
    int valuesPerTexel = 1;                                                   // of a fetch
};

int samplesOf(Interpolation interpolation)
{
    return interpolation == Interpolation::cubic ? 4 : interpolation == Interpolation::linear ? 2 : 1;
}

// One slice: the bins lie in registers, from which two are picked for linear interpolation. Many slices: the lanes of
// a vector are slices; halves are read as pairs of neighbouring bins and multiplied by pairs of weights.
Operations onProcessor(const KernelWork& work)
{
    const Kernel& kernel = work.kernel;
    if (kernel.method != "cpu" || work.isCone || !kernel.variant.empty())
        return {};
    const bool isCubic = kernel.interpolation == Interpolation::cubic;
    const double samples = samplesOf(kernel.interpolation);
    if (kernel.slicesPerPass < fewestInLanes) {
        if (!work.instructionSet.starts_with("AVX")) // others have no shuffle that is wide enough
            return {};
        return {.multiplyAdds = isCubic ? 4.0 : 1.0, .shuffles = samples};
    }
    // Oversampled is linear at the nearest position there.
    const double read = kernel.interpolation == Interpolation::oversampled ? 2 : samples;
    if (kernel.precision == Precision::half)
        return isCubic ? Operations{} : Operations{.loads = 1, .fixedPairs = 1};
    return {.multiplyAdds = read, .loads = read};
}

// Instructions of a thread per update of `alu`, counted with ncu (tests/bench/results/h200-limits.md); 0: not counted.
double aluInstructions(const Kernel& kernel)
{
    struct Counted {
        Interpolation interpolation;
        Precision precision;
        int slices;
        double instructions;
    };
    static constexpr Counted counted[] = {{Interpolation::linear, Precision::single, 1, 6.8},
                                          {Interpolation::linear, Precision::single, 2, 4.5},
                                          {Interpolation::linear, Precision::half, 4, 4.7},
                                          {Interpolation::nearest, Precision::single, 1, 6.0},
                                          {Interpolation::nearest, Precision::single, 2, 3.5},
                                          {Interpolation::oversampled, Precision::single, 1, 5.9},
                                          {Interpolation::oversampled, Precision::single, 2, 4.1},
                                          {Interpolation::oversampled, Precision::single, 4, 3.5}};
    for (const Counted& one : counted)
        if (one.interpolation == kernel.interpolation && one.precision == kernel.precision &&
            one.slices == kernel.slicesPerPass)
            return one.instructions;
    return 0;
}

// Bytes that `alu` reads from shared memory per update: each sample by itself, cubic four of them. Halves lie there as
// floats, except those of four slices with nearest or linear interpolation.
double aluSharedBytes(const Kernel& kernel)
{
    const bool isPlain =
        kernel.interpolation == Interpolation::linear || kernel.interpolation == Interpolation::nearest;
    const bool areHalves = kernel.precision == Precision::half && kernel.slicesPerPass == 4 && isPlain;
    return samplesOf(kernel.interpolation) * (areHalves ? 2.0 : 4.0);
}

// Texels of one channel that cost as much as a fetch of all slices: four floats are filtered in four turns.
double texelsPerFetch(const Kernel& kernel)
{
    const bool isFourFloats = kernel.slicesPerPass == 4 && kernel.precision == Precision::single;
    return !isFourFloats ? 1 : kernel.interpolation == Interpolation::nearest ? 2 : 4;
}

Operations onGpu(const KernelWork& work)
{
    const Kernel& kernel = work.kernel;
    const std::string& method = kernel.method;
    const bool isHalf = kernel.precision == Precision::half, isLinear = kernel.interpolation == Interpolation::linear;
    const bool isPlain = isLinear || kernel.interpolation == Interpolation::nearest;
    if (method == "tensor" && !work.isCone && isLinear) // floats: three products of two halves each
        return {.tensorProducts = (isHalf ? 1 : 3) / 256.0};
    if (!kernel.variant.empty())
        return {};
    if (work.isCone) // several slices: rows v and −v share a fetch; of halves also projections β and β + π
        return method != "texture"         ? Operations{}
               : kernel.slicesPerPass == 1 ? Operations{.texels = 1}
                                           : Operations{.texels = isHalf ? 0.25 : 0.5};
    if ((method == "texture" || method == "standard") && isPlain)
        return {.texels = texelsPerFetch(kernel) / kernel.slicesPerPass};
    if (method == "alu")
        return {.sharedBytes = aluSharedBytes(kernel), .instructions = aluInstructions(kernel)};
    return {};
}

// Additions, multiplications and fused multiply-adds of an update of `alu-opencl`, as its source has them: position,
// rounding and address, which all slices share, and the interpolation of each slice.
double aluOpenClArithmetic(const Kernel& kernel)
{
    const int slices = kernel.slicesPerPass;
    switch (kernel.interpolation) {
    case Interpolation::linear: // of halves in pairs
        return kernel.precision == Precision::half && slices == 4 ? (4 + 1.5 * slices) / slices
                                                                  : (3 + 2.0 * slices) / slices;
    case Interpolation::cubic:
        return (5 + 4.0 * slices) / slices;
    default:
        return (3 + 1.0 * slices) / slices;
    }
}

Operations onOpenCl(const KernelWork& work)
{
    const Kernel& kernel = work.kernel;
    const std::string& method = kernel.method;
    const bool isPlain =
        kernel.interpolation == Interpolation::linear || kernel.interpolation == Interpolation::nearest;
    if (!kernel.variant.empty())
        return {};
    if (work.isCone && method == "texture-opencl" && isPlain) { // of symmetric geometries
        const int values = kernel.precision == Precision::half ? 4 : 2;
        return {.fetches = 1.0 / values, .valuesPerTexel = values};
    }
    if (!work.isCone && (method == "texture-opencl" || method == "standard-opencl") && isPlain)
        return {.fetches = 1.0 / kernel.slicesPerPass, .valuesPerTexel = kernel.slicesPerPass};
    if (!work.isCone && method == "alu-opencl")
        return {.multiplyAdds = aluOpenClArithmetic(kernel), .localBytes = aluSharedBytes(kernel)};
    return {};
}

struct Unit {
    const char* name;
    double perSecond, perUpdate;
};

std::vector<Limit> lowestFirst(std::initializer_list<Unit> units)
{
    std::vector<Limit> limits;
    for (const Unit& unit : units)
        if (unit.perSecond > 0 && unit.perUpdate > 0)
            limits.push_back({unit.name, 1e-9 * unit.perSecond / unit.perUpdate, unit.perUpdate});
    std::ranges::sort(limits, {}, &Limit::gups);
    return limits;
}

bool isGpu(const DeviceSettings& openCl)
{
    const std::vector<OpenClDevice>& devices = openClDevices().devices;
    const auto found = std::ranges::find(devices, openCl.index, &OpenClDevice::index);
    return found == devices.end() || found->isGpu;
}

} // namespace

KernelWork workOf(const BenchmarkRow& row)
{
    Kernel kernel;
    kernel.method = row.method;
    kernel.variant = row.variant;
    kernel.interpolation = row.interpolation;
    kernel.precision = row.precision;
    kernel.slicesPerPass = row.slicesPerPass;
    Resources named;
    setDevices(named, row.device);
    const DeviceSettings device = named.device;
    return {kernel,      row.alpha > 0,
            device,      row.instructionSet,
            row.threads, device.kind != DeviceSettings::Kind::opencl || isGpu(device)};
}

KernelWork workOf(const Reconstruction& made)
{
    const Request& request = made.request;
    const Method* method = methodOf(made);
    KernelWork work;
    work.kernel = request.setting.kernel;
    work.kernel.method = made.method;
    work.isCone = request.scan && std::holds_alternative<ConeBeam>(request.scan->geometry);
    work.threads = request.resources.threads;
    if (!method)
        return work;
    if (method->device != DeviceSettings::Kind::cpu) {
        work.device = {method->device, deviceIndexFor(*method, request.resources.device)};
        work.isOnGpu = method->device == DeviceSettings::Kind::cuda || isGpu(work.device);
    } else {
        work.instructionSet = instructionSetFor(*method, work.kernel);
        if (work.kernel.variant == work.instructionSet)
            work.kernel.variant.clear();
    }
    return work;
}

std::vector<Limit> limitsOf(const KernelWork& work, const ProcessorPeaks& core)
{
    const Operations counts = onProcessor(work);
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    const double threads = work.threads > 0 ? std::min(work.threads, cores) : cores;
    const double perSecond = 1e9 * std::min(threads, cores * core.shareOfEach);
    return lowestFirst({{"shuffles", perSecond * core.shuffles, counts.shuffles},
                        {"loads", perSecond * core.loads, counts.loads},
                        {"multiply-adds", perSecond * core.multiplyAdds, counts.multiplyAdds},
                        {"16-bit products", perSecond * core.fixedPairs, counts.fixedPairs}});
}

std::vector<Limit> limitsOf(const KernelWork& work, const GpuPeaks& gpu)
{
    const Operations counts = onGpu(work);
    return lowestFirst({{"texture units", gpu.texels, counts.texels},
                        {"shared memory", gpu.sharedBytes, counts.sharedBytes},
                        {"instructions", gpu.instructions, counts.instructions},
                        {"tensor cores", gpu.tensorProducts, counts.tensorProducts}});
}

std::vector<Limit> limitsOf(const KernelWork& work, const OpenClPeaks& device)
{
    const Operations counts = onOpenCl(work);
    const bool isNearest = work.kernel.interpolation == Interpolation::nearest;
    const double fetches =
        fetchesOf(device, counts.valuesPerTexel, work.kernel.precision == Precision::half, isNearest);
    return lowestFirst({{work.isOnGpu ? "texture units" : "image reads", fetches, counts.fetches},
                        {"local memory", device.localBytes, counts.localBytes},
                        {"multiply-adds", device.multiplyAdds, counts.multiplyAdds}});
}

std::vector<Limit> limitsOf(const KernelWork& work, MachinePeaks& peaks)
{
    if (work.device.kind == DeviceSettings::Kind::opencl) {
        const auto [device, isNew] = peaks.openCl.try_emplace(toText(work.device));
        try {
            if (isNew)
                device->second = openClPeaks(work.device.index);
        } catch (const Error&) { // as below
        }
        return limitsOf(work, device->second);
    }
    if (work.device.kind == DeviceSettings::Kind::cuda) {
        const auto [gpu, isNew] = peaks.gpus.try_emplace(toText(work.device));
        try {
            if (isNew)
                gpu->second = gpuPeaks(work.device.index);
        } catch (const Error&) { // speeds are worth showing without limits
        }
        return limitsOf(work, gpu->second);
    }
    if (work.instructionSet.empty())
        return {};
    auto core = std::ranges::find(peaks.cores, work.instructionSet, &ProcessorPeaks::instructionSet);
    if (core == peaks.cores.end()) {
        const ForcedTarget forced(work.instructionSet);
        core = peaks.cores.insert(core, processorPeaks());
    }
    return limitsOf(work, *core);
}

MachinePeaks addLimits(std::vector<BenchmarkRow>& rows)
{
    MachinePeaks peaks;
    for (BenchmarkRow& row : rows) {
        row.limits = limitsOf(workOf(row), peaks);
        for (Limit& limit : row.limits) // of all devices together; they are taken to be alike
            limit.gups *= static_cast<double>(std::ranges::count(row.device, ',') + 1);
    }
    std::erase_if(peaks.gpus, [](const auto& each) { return each.second.texels == 0; });
    std::erase_if(peaks.openCl, [](const auto& each) { return each.second.multiplyAdds == 0; });
    return peaks;
}

std::string limiterText(double gups, const std::vector<Limit>& limits)
{
    if (limits.empty())
        return {};
    return std::to_string(std::lround(100 * gups / limits.front().gups)) + " % of " + limits.front().unit;
}

std::string limiterSentence(double gups, const std::vector<Limit>& limits)
{
    if (limits.empty())
        return {};
    const Limit& lowest = limits.front();
    const double share = gups / lowest.gups;
    const std::string percent = std::to_string(std::lround(100 * share)) + " %";
    if (share >= mostlyBusy)
        return "Limited by " + lowest.unit + ": " + percent + " of the rate that this device has.";
    return "The kernel needs " + lowest.unit + " most, but uses only " + percent +
           " of the rate that this device has: waiting, other instructions or other programs limit it.";
}

std::string limitsRemark(const KernelWork& work)
{
    static const Json remarks = parsedJson(limitRemarksText).at("remarks");
    const Kernel& kernel = work.kernel;
    const auto isOf = [&](const Json& id) { return id == kernel.method; };
    for (const Json& one : remarks)
        if (work.isOnGpu && // the remarks are about the units of GPUs
            std::ranges::any_of(one.at("methods"), isOf) && one.at("cone") == work.isCone &&
            kernel.slicesPerPass >= one.value("leastSlices", 1) &&
            kernel.slicesPerPass <= one.value("mostSlices", kernel.slicesPerPass))
            return one.at("text");
    return {};
}

std::string explainedLimit(double gups, const std::vector<Limit>& limits, const KernelWork& work)
{
    const std::string sentence = limiterSentence(gups, limits), remark = limitsRemark(work);
    const bool isReached = !limits.empty() && gups >= mostlyBusy * limits.front().gups;
    return isReached || remark.empty() ? sentence : sentence.empty() ? remark : sentence + ' ' + remark;
}

} // namespace engine
