// SPDX-License-Identifier: GPL-3.0-or-later
// Pipeline of a build without OpenCL: its constructor throws.
#include "engine/backproject/cone/opencl/cone_pipeline.h"
#include "engine/base/error.h"
#include "engine/opencl/devices.h"

namespace engine::opencl
{

struct ConePipeline::Impl {
};

ConePipeline::ConePipeline(int)
{
    throw Error(ErrorKind::device, openClDevices().reason);
}
ConePipeline::~ConePipeline() = default;
int ConePipeline::deviceIndex() const
{
    return 0;
}
DeviceTimes ConePipeline::run(const LaunchArguments&)
{
    return {};
}

} // namespace engine::opencl
