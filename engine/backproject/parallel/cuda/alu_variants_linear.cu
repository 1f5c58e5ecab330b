// SPDX-License-Identifier: GPL-3.0-or-later
// The tunings of `alu` that are there to be compared, for linear interpolation.
#include "engine/backproject/parallel/cuda/alu_kernel.cuh"

namespace engine::cuda
{

bool launchAluLinear(const AluTuning& wanted, const KernelArguments& arguments)
{
    return launchAluModeVariant<AluMode::linear>(wanted, arguments);
}

} // namespace engine::cuda
