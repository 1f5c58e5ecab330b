// SPDX-License-Identifier: GPL-3.0-or-later
// Launch of planes on an NVIDIA GPU, for the table of methods.
#include "engine/backproject/gpu_choice.h"
#include "engine/backproject/plane/cuda/plane_pipeline.h"
#include "engine/backproject/plane_launch.h"

namespace engine
{

LaunchReport launchCudaPlane(const LaunchArguments& arguments, Workspace& workspace)
{
    if (!workspace.planeGpu || workspace.planeGpu->deviceIndex() != arguments.deviceIndex) {
        workspace.planeGpu.reset();
        workspace.planeGpu = std::make_shared<cuda::PlanePipeline>(arguments.deviceIndex);
    }
    LaunchReport report = workspace.planeGpu->run(arguments);
    nameDevice(report, arguments.deviceIndex);
    return report;
}

} // namespace engine
