// SPDX-License-Identifier: GPL-3.0-or-later
// Pipeline of a build without CUDA: its constructor throws.
#include "engine/backproject/cone/cuda/cone_pipeline.h"
#include "engine/base/error.h"
#include "engine/cuda/devices.h"

namespace engine::cuda
{

struct ConePipeline::Impl {
};

ConePipeline::ConePipeline(int)
{
    throw Error(ErrorKind::device, cudaDevices().reason);
}
ConePipeline::~ConePipeline() = default;
int ConePipeline::deviceIndex() const
{
    return 0;
}
LaunchReport ConePipeline::run(ConeKernel, const LaunchArguments&)
{
    return {};
}

} // namespace engine::cuda
