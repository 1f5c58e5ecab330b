// SPDX-License-Identifier: GPL-3.0-or-later
// Pipeline of a build without CUDA: its constructor throws.
#include "engine/backproject/parallel/cuda/pipeline.h"
#include "engine/backproject/parallel/double_sums.h"
#include "engine/base/error.h"
#include "engine/cuda/devices.h"

namespace engine
{

LaunchReport exactSumsOnGpu(const LaunchArguments&, const TakeSums&)
{
    throw Error(ErrorKind::device, cudaDevices().reason);
}

} // namespace engine

namespace engine::cuda
{

struct Pipeline::Impl {
};

Pipeline::Pipeline(int)
{
    throw Error(ErrorKind::device, cudaDevices().reason);
}
Pipeline::~Pipeline() = default;
int Pipeline::deviceIndex() const
{
    return 0;
}
PipelineTimes Pipeline::run(const Kernels&, const LaunchArguments&)
{
    return {};
}

} // namespace engine::cuda
