#include "engine/cuda/devices.h"

namespace engine {

CudaDevices cudaDevices()
{
    return {{}, "this build was made without the CUDA toolkit"};
}

} // namespace engine
