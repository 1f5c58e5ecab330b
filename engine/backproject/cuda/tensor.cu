// `tensor`: which of its kernels a GPU takes.
#include "engine/backproject/cuda/tensor.h"

#include "engine/backproject/cuda/kernels.h"

namespace engine::cuda
{

namespace
{

[[maybe_unused]] bool hasWgmma(const KernelArguments& arguments)
{
#if SINOSCOPE_WGMMA
    return arguments.computeCapability == 90; // code for 9.0a runs nowhere else
#else
    return false;
#endif
}

void launch(const KernelArguments& arguments)
{
#if SINOSCOPE_WGMMA
    if (hasWgmma(arguments))
        return launchTensorWgmma(arguments);
#endif
    launchTensorMma(arguments);
}

// One of these blocks is worth four others: it fills a multiprocessor. Parts of the projections summed apart would
// cost more, in memory for the sums of so many slices, than the last wave of blocks that they even out.
int blocks(const KernelArguments& arguments)
{
#if SINOSCOPE_WGMMA
    if (hasWgmma(arguments))
        return 4 * blocksTensorWgmma(arguments);
#endif
    return 4 * blocksTensorMma(arguments);
}

} // namespace

const Kernels tensorKernels = {launch, blocks, nullptr, true};

} // namespace engine::cuda
