#include "engine/cuda/devices.h"

namespace engine
{

const CudaDevices& cudaDevices()
{
    static const CudaDevices none{{}, "this build was made without the CUDA toolkit"};
    return none;
}

} // namespace engine
