// SPDX-License-Identifier: GPL-3.0-or-later
// Method `tensor` from compute capability 8.0 on: the division of a block for each kind of data.
#include "engine/backends/cuda/parallel/tensor_mma.cuh"

#include "engine/backends/cuda/parallel/kernels.h"
#include "engine/backends/cuda/parallel/tensor.h"
#include "engine/backends/cuda/parallel/tensor_choice.cuh"

namespace engine::cuda
{

namespace
{

// Measured on an H200, 2026-11-21 (tests/bench/results/tensor.md). For float data the sums are held twice; cubic has
// twice the products, and wider segments.
constexpr MmaDivision divisionFor(int slices, Interpolation interpolation, bool half)
{
    const bool cubic = interpolation == Interpolation::cubic;
    switch (slices) {
    case 8:
        return half && !cubic ? MmaDivision{4, 2, 4, 4, 16, 2} : MmaDivision{4, 2, 2, 4, 8, 2};
    case 16:
        return !half   ? MmaDivision{4, 2, 2, 2, 8, 2}
               : cubic ? MmaDivision{4, 2, 2, 4, 8, 2}
                       : MmaDivision{2, 2, 4, 4, 16, 2};
    case 32:
        return half    ? MmaDivision{2, 2, 2, 4, 8, 2}
               : cubic ? MmaDivision{2, 2, 2, 2, 4, 2}
                       : MmaDivision{2, 2, 2, 2, 8, 2};
    default:
        return !half   ? MmaDivision{2, 2, 2, 1, 4, 2}
               : cubic ? MmaDivision{4, 2, 2, 2, 4, 1}
                       : MmaDivision{2, 2, 2, 2, 8, 2};
    }
}

struct MmaKernels {
    template <int slices, Interpolation interpolation, bool half>
    Kernels operator()() const
    {
        using S = MmaShape<slices, interpolation, half, divisionFor(slices, interpolation, half)>;
        return {launchMma<S>, blocksMma<S>};
    }
};

} // namespace

void launchTensorMma(const KernelArguments& arguments)
{
    tensorKernelsFor(arguments, MmaKernels()).launch(arguments);
}

int blocksTensorMma(const KernelArguments& arguments)
{
    return tensorKernelsFor(arguments, MmaKernels()).blocks(arguments);
}

} // namespace engine::cuda
