// A build without CUDA: a pipeline that can't be made.
#include "engine/backproject/parallel/cuda/pipeline.h"
#include "engine/cuda/devices.h"
#include "engine/error.h"

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
std::string Pipeline::deviceName() const
{
    return {};
}
PipelineTimes Pipeline::run(const Kernels&, const LaunchArguments&)
{
    return {};
}

} // namespace engine::cuda
