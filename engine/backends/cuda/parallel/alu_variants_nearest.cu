// SPDX-License-Identifier: GPL-3.0-or-later
// Tunings of `alu` for nearest interpolation that exist only for comparison.
#include "engine/backends/cuda/parallel/alu_kernel.cuh"

namespace engine::cuda
{

bool launchAluNearest(const AluTuning& wanted, const KernelArguments& arguments)
{
    return launchAluModeVariant<AluMode::nearest>(wanted, arguments);
}

} // namespace engine::cuda
