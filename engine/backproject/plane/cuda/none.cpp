// SPDX-License-Identifier: GPL-3.0-or-later
// Pipeline of a build without CUDA: its constructor throws.
#include "engine/backproject/plane/cuda/plane_pipeline.h"
#include "engine/base/error.h"
#include "engine/cuda/devices.h"

namespace engine::cuda
{

struct PlanePipeline::Impl {
};

PlanePipeline::PlanePipeline(int)
{
    throw Error(ErrorKind::device, cudaDevices().reason);
}
PlanePipeline::~PlanePipeline() = default;
int PlanePipeline::deviceIndex() const
{
    return 0;
}
long long PlanePipeline::uploadedProjections() const
{
    return 0;
}
bool PlanePipeline::holds(const FilteredKey&, Precision) const
{
    return false;
}
void PlanePipeline::dropOthers(const Scan*) {}
void PlanePipeline::limitMemory(double) {}
LaunchReport PlanePipeline::run(const LaunchArguments&)
{
    return {};
}

} // namespace engine::cuda
