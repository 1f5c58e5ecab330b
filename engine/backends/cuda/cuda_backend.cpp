// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA GPUs through CUDA. In a build without CUDA there are the methods, and the reason why they can't be used, which
// CMake supplies with how to get CUDA (packaging/cuda_choice.cmake).
#include "engine/backends/backend.h"
#include "engine/backends/cuda/device/devices.h"
#include "engine/backends/cuda/methods.h"
#include "engine/backends/cuda/parallel/tuning.h"
#include "engine/base/error.h"
#if SINOSCOPE_HAS_CUDA
#include "engine/backends/cuda/cuda_session.h"
#include "engine/backends/cuda/device/gpu_peaks.h"
#include "engine/backends/cuda/device/gpu_state.h"
#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/filter/cufft_functions.h"
#endif

#include <algorithm>
#include <iterator>

namespace engine
{

namespace
{

std::vector<Method> cudaMethods()
{
    std::vector<Method> all = cuda::parallelMethods();
    std::ranges::move(cuda::coneMethods(), std::back_inserter(all));
    return all;
}

#if SINOSCOPE_HAS_CUDA
DeviceRates cudaRatesOf(const KernelWork& work)
{
    const GpuPeaks gpu = gpuPeaks(work.device.index);
    return {toText(work.device),
            {{"texels", "texels", gpu.texels},
             {"sharedBytes", "bytes of shared memory", gpu.sharedBytes},
             {"wideSharedBytes", "bytes of it in wide loads", gpu.wideSharedBytes},
             {"cacheLines", "lines of the first-level cache", gpu.cacheLines},
             {"multiplyAdds", "multiply-adds", gpu.instructions},
             {"integers", "shifts", gpu.integers},
             {"conversions", "conversions", gpu.conversions},
             {"tensorProducts", "tensor products", gpu.tensorProducts},
             {"memoryBytes", "bytes copied in its memory", gpu.memoryBytes},
             {"upBytes", "to it", gpu.upBytes},
             {"downBytes", "from it", gpu.downBytes}}};
}
#endif

} // namespace

#if !SINOSCOPE_HAS_CUDA

const Devices& cudaDevices()
{
    static const Devices none{{}, SINOSCOPE_NO_CUDA_REASON};
    return none;
}

bool cuda::isTensorBuilt()
{
    return true;
}

#endif

const Backend cudaBackend = {
    .id = "cuda",
    .deviceLabel = "NVIDIA GPU",
    .aDevice = "an NVIDIA GPU",
    .isAutomatic = true,
    .isStrict = true,
    .isBuilt = SINOSCOPE_HAS_CUDA,
    .methods = cudaMethods,
    .devices = cudaDevices,
#if SINOSCOPE_HAS_CUDA
    .open = [](int device) -> std::unique_ptr<DeviceSession> { return std::make_unique<cuda::CudaSession>(device); },
    .state = cuda::gpuState,
    .clockMhz = cuda::gpuClockMhz,
    .occupancyOfLastLaunch = cuda::occupancyOfLastLaunch,
    .ratesOf = cudaRatesOf,
#else
    .open = [](int) -> std::unique_ptr<DeviceSession> { throw Error(ErrorKind::device, cudaDevices().reason); },
#endif
    .limitsOf = cuda::limitsOf,
    .ratesKey = "gpuPeaks",
    .requireVariant = [](const std::string& variant) { cuda::requireAluTuning(variant); },
#if SINOSCOPE_HAS_CUDA
    .transformProblem = cuda::cufftProblem,
#else
    .transformProblem = []() -> std::optional<std::string> { return cudaDevices().reason; },
#endif
    .lacking = cuda::aluTuningsBuilt || !SINOSCOPE_HAS_CUDA
                   ? ""
                   : "Of the variants of alu, this build has only square-tile; CMake with\n"
                     "-DSINOSCOPE_TUNINGS=ON builds the others.",
};

} // namespace engine
