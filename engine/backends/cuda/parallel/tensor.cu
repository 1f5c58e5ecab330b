// SPDX-License-Identifier: GPL-3.0-or-later
// Method `tensor`: choice of the kernel for a GPU.
#include "engine/backends/cuda/parallel/tensor.h"

#include "engine/backends/cuda/parallel/kernels.h"

namespace engine::cuda
{

namespace
{

[[maybe_unused]] bool takesWgmma(const KernelArguments& arguments)
{
#if SINOSCOPE_WGMMA
    // Code for 9.0a runs on no other GPU. wgmma needs as many instructions for any smaller number of slices as for
    // 64. GU/s with mma.sync and with wgmma, linear, half: 10,460 and 4500 (8 slices), 14,910 and 8000 (16), 17,030
    // and 12,860 (32), 17,410 and 19,130 (64); cubic, float: 2220 and 2480 (32). H200, 2026-11-21,
    // tests/bench/results/tensor.md.
    const DeviceSinograms& data = arguments.sinograms;
    const bool cubicFloat = arguments.interpolation == Interpolation::cubic && data.precision == Precision::single;
    return arguments.computeCapability == 90 && data.slices >= (cubicFloat ? 32 : 64);
#else
    return false;
#endif
}

void launch(const KernelArguments& arguments)
{
#if SINOSCOPE_WGMMA
    if (takesWgmma(arguments))
        return launchTensorWgmma(arguments);
#endif
    launchTensorMma(arguments);
}

// Returns four times the number of blocks. Splits are chosen for four blocks per multiprocessor, but one of these large
// blocks per multiprocessor is enough. More splits would even out the last wave of blocks, but the memory for the sums
// of so many slices would cost more than that gains.
int blocks(const KernelArguments& arguments)
{
#if SINOSCOPE_WGMMA
    if (takesWgmma(arguments))
        return 4 * blocksTensorWgmma(arguments);
#endif
    return 4 * blocksTensorMma(arguments);
}

} // namespace

bool isTensorBuilt()
{
    for (const int architecture : {__CUDA_ARCH_LIST__})
        if (architecture >= 800)
            return true;
    return false;
}

const Kernels tensorKernels = {
    .launch = launch,
    .blocks = blocks,
    .tensorLayout = true,
    .substitute = &aluKernels,
};

} // namespace engine::cuda
