// SPDX-License-Identifier: GPL-3.0-or-later
// Table rows of the methods for OpenCL devices. A build without OpenCL has them too; there each reports why it can't be
// used.
#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/backends/opencl/device/devices.h"
#include "engine/backends/opencl/methods.h"
#include "engine/backends/opencl/parallel/kernel_options.h"
#include "engine/backends/opencl/parallel/variants.h"
#include "engine/backends/parallel/hybrid_share.h"
#include "engine/backends/parallel/limits.h"

namespace engine
{

namespace
{

extern const Method aluOpenClMethod;

const std::vector<int> openClSlices{1, 2, 4};

// Returns why a method of the texture unit, which has only nearest and linear interpolation, can't do the request.
std::optional<std::string> imageOpenClProblem(const char* id, const Request& request, const Machine& machine)
{
    const Interpolation interpolation = request.setting.kernel.interpolation;
    if (interpolation == Interpolation::oversampled || interpolation == Interpolation::cubic)
        return "the texture unit interpolates nearest or linear; " + toText(interpolation) + " needs `alu-opencl`";
    if (const Device* device = deviceFor(openClBackend, request.resources.device, machine); !device->hasImages)
        return "the OpenCL device " + device->name + " has no images; choose `alu-opencl`";
    return kernelLimits(id, openClSlices, request);
}

// The texture path reads samples at positions that the unit's weights of 8 bits have exactly.
std::optional<std::string> hybridOpenClProblem(const Request& request, const Machine& machine)
{
    const Kernel& kernel = request.setting.kernel;
    if (kernel.interpolation != Interpolation::oversampled)
        return imageOpenClProblem("hybrid-opencl", request, machine);
    Request linear = request;
    linear.setting.kernel.interpolation = Interpolation::linear;
    if (const auto problem = imageOpenClProblem("hybrid-opencl", linear, machine))
        return problem;
    if (kernel.oversampling != 4)
        return "`hybrid-opencl` takes 4 samples per bin, not " + std::to_string(kernel.oversampling) +
               "; `alu-opencl` takes others";
    return std::nullopt;
}

std::optional<std::string> aluOpenClProblem(const Request& request, const Machine& machine)
{
    if (const auto problem = kernelLimits(aluOpenClMethod.id, openClSlices, request))
        return problem;
    Kernel kernel = request.setting.kernel;
    if (!hasVariant(aluOpenClMethod, kernel.variant))
        kernel.variant.clear();
    return opencl::aluProblem(kernel, *deviceFor(openClBackend, request.resources.device, machine));
}

std::vector<Variant> textureOpenClVariants()
{
    std::vector<Variant> rows;
    for (const opencl::TextureStepName& name : opencl::textureSteps)
        rows.push_back({name.id, name.summary, std::string("Chilingaryan et al. 2020, ") + name.section});
    return rows;
}

std::vector<Variant> aluOpenClVariants()
{
    std::vector<Variant> rows;
    for (const opencl::AluVariantName& name : opencl::aluVariants) {
        const std::string section = name.section;
        rows.push_back(
            {name.id, name.summary, section.empty() ? section : "Chilingaryan et al. 2020, " + section, name.isTuning});
    }
    return rows;
}

const Method standardOpenClMethod = {
    .id = "standard-opencl",
    .label = "Standard (texture), OpenCL",
    .summary = "One thread per pixel, every projection through the texture unit of any maker's GPU.",
    .reference = "Chilingaryan et al. 2020, Algorithm 1",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = openClSlices,
    .unsupported = [](const Request& request,
                      const Machine& machine) { return imageOpenClProblem("standard-opencl", request, machine); },
    .filters = opencl::filtersOnDevice,
    .rank = [](const Request&) { return 2; },
    .textureWeights = true,
    .family = "standard",
};

const Method textureOpenClMethod = {
    .id = "texture-opencl",
    .label = "Texture, cache-aware, OpenCL",
    .summary = "Threads in Z order, four projections at a time, on the texture unit of any maker's GPU.",
    .reference = "Chilingaryan et al. 2020, Algorithms 2, 3 and 5",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = openClSlices,
    .unsupported = [](const Request& request,
                      const Machine& machine) { return imageOpenClProblem("texture-opencl", request, machine); },
    .filters = opencl::filtersOnDevice,
    .rank = [](const Request&) { return 3; },
    .textureWeights = true,
    .variants = textureOpenClVariants,
    .family = "texture",
};

const Method hybridOpenClMethod = {
    .id = "hybrid-opencl",
    .label = "Hybrid, texture + ALU, OpenCL",
    .summary = "Some groups of threads on the texture unit, the others on the arithmetic units, of any maker's GPU.",
    .reference = "Chilingaryan et al. 2020, section 7.1",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = openClSlices,
    .unsupported = hybridOpenClProblem,
    .filters = opencl::filtersOnDevice,
    .rank = [](const Request&) { return 4; },
    .textureWeights = true,
    .variants = hybridShares,
    .family = "hybrid",
};

const Method aluOpenClMethod = {
    .id = "alu-opencl",
    .label = "ALU, local memory, OpenCL",
    .summary = "Bins in local memory, interpolation in full precision by the arithmetic units of any maker's GPU.",
    .reference = "Chilingaryan et al. 2020, Algorithms 6, 8 and 9",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = openClSlices,
    .unsupported = aluOpenClProblem,
    .filters = opencl::filtersOnDevice,
    .rank = [](const Request&) { return 5; },
    .variants = aluOpenClVariants,
    .family = "alu",
};

} // namespace

bool opencl::filtersOnDevice(const Request& request, const Machine& machine)
{
    const FilterOn where = request.resources.filterOn;
    if (!hasOpenClTransforms() || where == FilterOn::processor || request.place.previewStep > 1)
        return false;
    const Device* device = deviceFor(openClBackend, request.resources.device, machine);
    return device && (device->isGpu || where == FilterOn::gpu);
}

std::vector<Method> opencl::parallelMethods()
{
    return {standardOpenClMethod, textureOpenClMethod, hybridOpenClMethod, aluOpenClMethod};
}

} // namespace engine
