// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of `tensor`: products of pixels × bins by bins × slices on tensor cores.
#pragma once

#include "engine/backproject/parallel/cuda/launch.h"

namespace engine::cuda
{

// Compute capability 9.0 (wgmma), in a build for it. Arguments' sinograms in a TensorLayout.
void launchTensorWgmma(const KernelArguments& arguments);
int blocksTensorWgmma(const KernelArguments& arguments);

// 8.0 and newer (mma.sync).
void launchTensorMma(const KernelArguments& arguments);
int blocksTensorMma(const KernelArguments& arguments);

} // namespace engine::cuda
