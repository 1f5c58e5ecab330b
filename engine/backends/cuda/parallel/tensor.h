// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of `tensor`: products of a matrix pixels × bins and a matrix bins × slices on tensor cores.
#pragma once

#include "engine/backends/cuda/parallel/launch.h"

namespace engine::cuda
{

// For compute capability 9.0 (wgmma), in a build that includes it. The arguments' sinograms are in a TensorLayout.
void launchTensorWgmma(const KernelArguments& arguments);
int blocksTensorWgmma(const KernelArguments& arguments);

// For compute capability 8.0 and newer (mma.sync). Throws Error(device) if the GPU would run code for older ones.
void launchTensorMma(const KernelArguments& arguments);
int blocksTensorMma(const KernelArguments& arguments);

} // namespace engine::cuda
