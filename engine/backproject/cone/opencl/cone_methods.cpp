// SPDX-License-Identifier: GPL-3.0-or-later
// Table row of the cone-beam method for OpenCL devices. A build without OpenCL has it too; there it reports why it
// can't be used.
#include "engine/backproject/cone/opencl/cone_pipeline.h"
#include "engine/backproject/cone/views.h"
#include "engine/backproject/gpu_choice.h"
#include "engine/backproject/launch_both_ends.h"

#include <array>
#include <memory>

namespace engine
{

namespace
{

extern const Method coneTextureOpenClMethod;

std::optional<std::string> coneOpenClProblem(const Request& request, const Machine& machine)
{
    if (const OpenClDevice* device = openClFor(request.resources.device, machine); !device->hasImages)
        return "the OpenCL device " + device->name + " has no images, which cone beams need; choose cpu";
    return coneLimits(coneTextureOpenClMethod, request);
}

LaunchReport launchConeOnOpenCl(const LaunchArguments& arguments, Workspace& workspace)
{
    if (arguments.image.slices < arguments.grid.slices &&
        !areMirrored(viewsOf(arguments, FilterPrecision::float32), arguments.grid.slices, arguments.sinograms.slices))
        return launchBothEnds(coneTextureOpenClMethod, arguments, workspace);
    if (!workspace.coneOpenCl || workspace.coneOpenCl->deviceIndex() != arguments.deviceIndex) {
        workspace.coneOpenCl.reset();
        workspace.coneOpenCl = std::make_shared<opencl::ConePipeline>(arguments.deviceIndex);
    }
    return opencl::reportOf(workspace.coneOpenCl->run(arguments), arguments.deviceIndex);
}

const Method coneTextureOpenClMethod = {
    .id = "texture-opencl",
    .label = "Texture, symmetric, OpenCL",
    .summary = "The texture unit of any maker's GPU interpolates; where the geometry is symmetric, one fetch serves "
               "mirrored rows and opposite projections. Any trajectory.",
    .reference = "Chen et al. 2019, Theorem 1; texels of several values after Chilingaryan et al. 2020 (section 5.3)",
    .device = DeviceSettings::Kind::opencl,
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {1, 8},
    .unsupported = coneOpenClProblem,
    .launch = launchConeOnOpenCl,
    .takes = takesConeBeam,
    .filters = filtersOnOpenCl,
    .inMirroredPairs = true,
    .rank = [](const Request&) { return 3; },
    .textureWeights = true,
    .variants =
        [] {
            return std::vector<Variant>{
                {opencl::singleTexels, "one value per texel: no symmetry is used"},
                {opencl::mirroredTexels, "mirrored rows in one texel: two updates per fetch",
                 "Chen et al. 2019, Theorem 1"},
                {opencl::fourfoldTexels, "mirrored rows of opposite projections in one texel: four updates per fetch"}};
        },
};

} // namespace

std::span<const Method> coneOpenClMethods()
{
    static const std::array rows = {coneTextureOpenClMethod};
    return rows;
}

} // namespace engine
