// SPDX-License-Identifier: GPL-3.0-or-later
// Table rows of the methods for OpenCL devices. A build without OpenCL has them too; there each reports why it can't be
// used.
#include "engine/backproject/gpu_choice.h"
#include "engine/backproject/method.h"
#include "engine/backproject/parallel/limits.h"
#include "engine/backproject/parallel/opencl/pipeline.h"
#include "engine/backproject/parallel/opencl/variants.h"

#include <array>
#include <memory>

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
    if (const OpenClDevice* device = openClFor(request.resources.device, machine); !device->hasImages)
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
    return opencl::aluProblem(kernel, *openClFor(request.resources.device, machine));
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

template <opencl::ParallelMethod method>
LaunchReport launchOnOpenCl(const LaunchArguments& arguments, Workspace& workspace)
{
    if (!workspace.opencl || workspace.opencl->deviceIndex() != arguments.deviceIndex) {
        workspace.opencl.reset();
        workspace.opencl = std::make_shared<opencl::ParallelPipeline>(arguments.deviceIndex);
    }
    return opencl::reportOf(workspace.opencl->run(method, arguments), arguments.deviceIndex);
}

const Method standardOpenClMethod = {
    .id = "standard-opencl",
    .label = "Standard (texture), OpenCL",
    .summary = "One thread per pixel, every projection through the texture unit of any maker's GPU.",
    .reference = "Chilingaryan et al. 2020, Algorithm 1",
    .device = DeviceSettings::Kind::opencl,
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = openClSlices,
    .unsupported = [](const Request& request,
                      const Machine& machine) { return imageOpenClProblem("standard-opencl", request, machine); },
    .launch = launchOnOpenCl<opencl::ParallelMethod::standard>,
    .filters = filtersOnOpenCl,
    .rank = [](const Request&) { return 2; },
    .textureWeights = true,
};

const Method textureOpenClMethod = {
    .id = "texture-opencl",
    .label = "Texture, cache-aware, OpenCL",
    .summary = "Threads in Z order, four projections at a time, on the texture unit of any maker's GPU.",
    .reference = "Chilingaryan et al. 2020, Algorithms 2, 3 and 5",
    .device = DeviceSettings::Kind::opencl,
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = openClSlices,
    .unsupported = [](const Request& request,
                      const Machine& machine) { return imageOpenClProblem("texture-opencl", request, machine); },
    .launch = launchOnOpenCl<opencl::ParallelMethod::texture>,
    .filters = filtersOnOpenCl,
    .rank = [](const Request&) { return 3; },
    .textureWeights = true,
    .variants = textureOpenClVariants,
};

const Method hybridOpenClMethod = {
    .id = "hybrid-opencl",
    .label = "Hybrid, texture + ALU, OpenCL",
    .summary = "Some groups of threads on the texture unit, the others on the arithmetic units, of any maker's GPU.",
    .reference = "Chilingaryan et al. 2020, section 7.1",
    .device = DeviceSettings::Kind::opencl,
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = openClSlices,
    .unsupported = hybridOpenClProblem,
    .launch = launchOnOpenCl<opencl::ParallelMethod::hybrid>,
    .filters = filtersOnOpenCl,
    .rank = [](const Request&) { return 4; },
    .textureWeights = true,
};

const Method aluOpenClMethod = {
    .id = "alu-opencl",
    .label = "ALU, local memory, OpenCL",
    .summary = "Bins in local memory, interpolation in full precision by the arithmetic units of any maker's GPU.",
    .reference = "Chilingaryan et al. 2020, Algorithms 6, 8 and 9",
    .device = DeviceSettings::Kind::opencl,
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = openClSlices,
    .unsupported = aluOpenClProblem,
    .launch = launchOnOpenCl<opencl::ParallelMethod::alu>,
    .filters = filtersOnOpenCl,
    .rank = [](const Request&) { return 5; },
    .variants = aluOpenClVariants,
};

} // namespace

std::span<const Method> openClMethods()
{
    static const std::array rows = {standardOpenClMethod, textureOpenClMethod, hybridOpenClMethod, aluOpenClMethod};
    return rows;
}

} // namespace engine
