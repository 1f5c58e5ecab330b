// SPDX-License-Identifier: GPL-3.0-or-later
// Table row of the cone-beam method for OpenCL devices. A build without OpenCL has it too; there it reports why it
// can't be used.
#include "engine/backends/cone/views.h"
#include "engine/backends/devices.h"
#include "engine/backends/opencl/cone/cone_variants.h"
#include "engine/backends/opencl/methods.h"

namespace engine
{

namespace
{

extern const Method coneTextureOpenClMethod;

std::optional<std::string> coneOpenClProblem(const Request& request, const Machine& machine)
{
    if (const Device* device = deviceFor(openClBackend, request.resources.device, machine); !device->hasImages)
        return "the OpenCL device " + device->name + " has no images, which cone beams need; choose cpu";
    return coneLimits(coneTextureOpenClMethod, request);
}

const Method coneTextureOpenClMethod = {
    .id = "texture-opencl",
    .label = "Texture, symmetric, OpenCL",
    .summary = "The texture unit of any maker's GPU interpolates; where the geometry is symmetric, one fetch serves "
               "mirrored rows and opposite projections. Any trajectory.",
    .reference = "Chen et al. 2019, Theorem 1; texels of several values after Chilingaryan et al. 2020 (section 5.3)",
    .filterPrecision = FilterPrecision::float32,
    .slicesPerPass = {1, 8},
    .unsupported = coneOpenClProblem,
    .takes = takesConeBeam,
    .filters = opencl::filtersOnDevice,
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
    .family = "texture",
};

} // namespace

std::vector<Method> opencl::coneMethods()
{
    return {coneTextureOpenClMethod};
}

} // namespace engine
