// SPDX-License-Identifier: GPL-3.0-or-later
// Pipeline of a build without OpenCL: its constructor throws.
#include "engine/backproject/parallel/opencl/pipeline.h"
#include "engine/base/error.h"

namespace engine::opencl
{

struct ParallelPipeline::Impl {
};

ParallelPipeline::ParallelPipeline(int)
{
    throw Error(ErrorKind::device, openClDevices().reason);
}
ParallelPipeline::~ParallelPipeline() = default;
int ParallelPipeline::deviceIndex() const
{
    return 0;
}
DeviceTimes ParallelPipeline::run(ParallelMethod, const LaunchArguments&)
{
    return {};
}

} // namespace engine::opencl
