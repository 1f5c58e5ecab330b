// SPDX-License-Identifier: GPL-3.0-or-later
// Choice of the `tensor` kernel for a launch: there is one per number of slices, interpolation and precision.
#pragma once

#include "engine/backends/cuda/parallel/kernels.h"

namespace engine::cuda
{

// kernels.operator()<slices, interpolation, half>() returns the kernel for 8, 16, 32 or 64 slices.
template <Interpolation interpolation, bool half, typename Make>
Kernels tensorKernelsFor(int slices, const Make& kernels)
{
    switch (slices) {
    case 8:
        return kernels.template operator()<8, interpolation, half>();
    case 16:
        return kernels.template operator()<16, interpolation, half>();
    case 32:
        return kernels.template operator()<32, interpolation, half>();
    default:
        return kernels.template operator()<64, interpolation, half>();
    }
}

template <bool half, typename Make>
Kernels tensorKernelsFor(Interpolation interpolation, int slices, const Make& kernels)
{
    switch (interpolation) {
    case Interpolation::nearest:
        return tensorKernelsFor<Interpolation::nearest, half>(slices, kernels);
    case Interpolation::cubic:
        return tensorKernelsFor<Interpolation::cubic, half>(slices, kernels);
    default:
        return tensorKernelsFor<Interpolation::linear, half>(slices, kernels);
    }
}

template <typename Make>
Kernels tensorKernelsFor(const KernelArguments& arguments, const Make& kernels)
{
    const int slices = arguments.sinograms.slices;
    return arguments.sinograms.precision == Precision::half
               ? tensorKernelsFor<true>(arguments.interpolation, slices, kernels)
               : tensorKernelsFor<false>(arguments.interpolation, slices, kernels);
}

} // namespace engine::cuda
