// SPDX-License-Identifier: GPL-3.0-or-later
// Table rows of the methods for NVIDIA GPUs. A build without CUDA has them too; there each reports why it can't be
// used.
#include "engine/backends/cuda/methods.h"
#include "engine/backends/cuda/parallel/texture_steps.h"
#include "engine/backends/cuda/parallel/tuning.h"
#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/backends/parallel/hybrid_share.h"
#include "engine/backends/parallel/limits.h"

#include <algorithm>

namespace engine
{

namespace
{

extern const Method aluMethod, tensorMethod, exactCudaMethod;

std::optional<std::string> slicesProblem(const char* id, const Request& request, int most)
{
    const int slices = request.setting.kernel.slicesPerPass;
    if (slices == 1 || slices == 2 || (slices == 4 && most == 4))
        return std::nullopt;
    return "`" + std::string(id) + "` reconstructs 1, 2" + (most == 4 ? " or 4" : "") + " slices simultaneously" +
           (most == 2 ? " from float data (4 from half)" : "") + ", not " + std::to_string(slices);
}

// Returns why a method of the texture unit, which has only nearest and linear interpolation, can't do the request.
std::optional<std::string> textureProblem(const char* id, const Request& request, int most)
{
    if (request.setting.kernel.interpolation == Interpolation::oversampled ||
        request.setting.kernel.interpolation == Interpolation::cubic)
        return "the texture unit interpolates nearest or linear; " + toText(request.setting.kernel.interpolation) +
               " needs `alu`";
    return slicesProblem(id, request, most);
}

// The texture blocks of `hybrid` read samples at positions that the unit's weights of 8 bits have exactly.
std::optional<std::string> hybridProblem(const Request& request, const Machine&)
{
    const Kernel& kernel = request.setting.kernel;
    if (kernel.interpolation != Interpolation::oversampled)
        return textureProblem("hybrid", request, 4);
    if (kernel.oversampling != 4)
        return "`hybrid` takes 4 samples per bin, not " + std::to_string(kernel.oversampling) + "; `alu` takes others";
    return slicesProblem("hybrid", request, 4);
}

std::optional<std::string> aluProblem(const Request& request, const Machine&)
{
    if (request.setting.kernel.interpolation == Interpolation::oversampled &&
        (request.setting.kernel.oversampling < 1 || request.setting.kernel.oversampling > 64))
        return "`alu` takes 1 to 64 samples per bin, not " + std::to_string(request.setting.kernel.oversampling);
    if (const auto problem = slicesProblem("alu", request, 4))
        return problem;
    const Kernel& kernel = request.setting.kernel;
    return hasVariant(aluMethod, kernel.variant) ? cuda::aluTuningProblem(kernel) : std::nullopt;
}

std::optional<std::string> tensorProblem(const Request& request, const Machine& machine)
{
    if (const Device* device = deviceFor(cudaBackend, request.resources.device, machine); device->computeMajor < 8)
        return "`tensor` needs an NVIDIA GPU of compute capability 8.0 or newer; " + device->name + " has " +
               std::to_string(device->computeMajor) + "." + std::to_string(device->computeMinor);
    if (!cuda::isTensorBuilt())
        return "this build has no code of `tensor`: it was compiled for GPUs older than compute capability 8.0 alone";
    if (request.setting.kernel.interpolation == Interpolation::oversampled)
        return "`tensor` interpolates nearest, linear or cubic; oversampled needs `alu`";
    const auto& offered = tensorMethod.slicesPerPass;
    if (std::find(offered.begin(), offered.end(), request.setting.kernel.slicesPerPass) == offered.end())
        return "`tensor` reconstructs 8, 16, 32, 64 or 128 slices simultaneously, not " +
               std::to_string(request.setting.kernel.slicesPerPass);
    return std::nullopt;
}

std::string fromPaper(const std::string& section)
{
    return section.empty() ? "" : "Chilingaryan et al. 2020, " + section;
}

std::vector<Variant> aluVariantRows()
{
    std::vector<Variant> rows;
    for (const cuda::AluVariantName& name : cuda::aluVariants)
        if (name.variant != cuda::AluVariant::tuned)
            rows.push_back({name.id, name.summary, fromPaper(name.section), cuda::isAluTuning(name.variant)});
    return rows;
}

std::vector<Variant> textureStepRows()
{
    std::vector<Variant> rows;
    for (const cuda::TextureStepName& name : cuda::textureSteps)
        rows.push_back({name.id, name.summary, fromPaper(name.section)});
    return rows;
}

const Method standardMethod = {
    .id = "standard",
    .label = "Standard (texture)",
    .summary = "One thread per pixel, every projection through the texture unit: the usual kernel.",
    .reference = "Chilingaryan et al. 2020, Algorithm 1",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {1, 2, 4},
    .unsupported = [](const Request& request, const Machine&) { return textureProblem("standard", request, 4); },
    .filters = [](const Request&, const Machine&) { return true; },
    .preparesToo = true,
    .rank = [](const Request&) { return 2; },
    .textureWeights = true,
};

const Method textureMethod = {
    .id = "texture",
    .label = "Texture, cache-aware",
    .summary = "Threads in Z order, four projections at a time: the texture unit at its peak rate.",
    .reference = "Chilingaryan et al. 2020, Algorithms 2 to 5",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {1, 2, 4},
    .unsupported =
        [](const Request& request, const Machine&) {
            return textureProblem("texture", request, request.setting.kernel.precision == Precision::half ? 4 : 2);
        },
    .planes = PlaneSupport::acrossSlices, // slices have faster kernels
    .planesInHalf = true,
    .filters = [](const Request&, const Machine&) { return true; },
    .preparesToo = true,
    .rank = [](const Request&) { return 3; },
    .textureWeights = true,
    .variants = textureStepRows,
};

const Method aluMethod = {
    .id = "alu",
    .label = "ALU, shared memory",
    .summary = "Bins in shared memory, interpolation in full precision by the arithmetic units.",
    .reference = "Chilingaryan et al. 2020, Algorithms 6, 8 and 9 and section 7.2",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {1, 2, 4},
    .unsupported = aluProblem,
    .filters = [](const Request&, const Machine&) { return true; },
    .preparesToo = true,
    .rank = [](const Request&) { return 5; },
    .variants = aluVariantRows,
};

const Method hybridMethod = {
    .id = "hybrid",
    .label = "Hybrid, texture + ALU",
    .summary = "Some blocks of each multiprocessor on the texture unit, the others on the arithmetic units.",
    .reference = "Chilingaryan et al. 2020, section 7.1",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {1, 2, 4},
    .unsupported = hybridProblem,
    .filters = [](const Request&, const Machine&) { return true; },
    .preparesToo = true,
    // Ranks behind `alu` except for four slices of halves (h200-kernels-papers.json): 6540 GU/s against 5345. With two
    // slices of floats it is faster, too, but its weights are coarser.
    .rank =
        [](const Request& r) {
            const bool best = r.setting.kernel.precision == Precision::half &&
                              r.setting.kernel.interpolation == Interpolation::linear &&
                              r.setting.kernel.slicesPerPass == 4;
            return best ? 6 : 4;
        },
    .textureWeights = true,
    .variants = hybridShares,
};

const Method tensorMethod = {
    .id = "tensor",
    .label = "Tensor cores",
    .summary = "Multiplies the weights of pixel tiles by the bins of many slices, as products of small matrices.",
    .reference = "tests/bench/results/tensor.md",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {8, 16, 32, 64, 128},
    .unsupported = tensorProblem,
    .filters = [](const Request&, const Machine&) { return true; },
    .preparesToo = true,
    .rank = [](const Request&) { return 6; },
    // Worthwhile where it is faster than `alu` and `hybrid` with 4 slices (h200-tensor.json); always if it is
    // requested by name.
    .worthwhile =
        [](const Request& r) {
            const int from = r.setting.kernel.precision == Precision::half
                                 ? (r.setting.kernel.interpolation == Interpolation::linear ? 8 : 16)
                                 : (r.setting.kernel.interpolation == Interpolation::cubic ? 32 : 16);
            return r.setting.kernel.method != "auto" || r.setting.kernel.slicesPerPass >= from;
        },
};

const Method exactCudaMethod = {
    .id = "exact-cuda",
    .label = "Exact, on the GPU",
    .summary = "The same sums as `exact`, to the last bit, on the double-precision units of a GPU.",
    .reference = "Direct evaluation of the back-projection sum",
    .filterPrecision = FilterPrecision::float64,
    .slicesPerPass = {1, 2, 4, 8},
    .unsupported =
        [](const Request& request, const Machine&) {
            return kernelLimits(exactCudaMethod.id, exactCudaMethod.slicesPerPass, request);
        },
    .yardstick = true,
    .isReference = true,
};

} // namespace

std::vector<Method> cuda::parallelMethods()
{
    return {standardMethod, textureMethod, hybridMethod, aluMethod, tensorMethod, exactCudaMethod};
}

} // namespace engine
