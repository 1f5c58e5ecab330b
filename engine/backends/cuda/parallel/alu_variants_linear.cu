// SPDX-License-Identifier: GPL-3.0-or-later
// Tunings of `alu` for linear interpolation that exist only for comparison.
#include "engine/backends/cuda/parallel/alu_kernel.cuh"

namespace engine::cuda
{

bool launchAluLinear(const AluTuning& wanted, const KernelArguments& arguments)
{
    return launchAluModeVariant<AluMode::linear>(wanted, arguments);
}

} // namespace engine::cuda
