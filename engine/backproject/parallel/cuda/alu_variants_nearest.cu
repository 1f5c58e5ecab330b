// SPDX-License-Identifier: GPL-3.0-or-later
// The tunings of `alu` that are there to be compared, for nearest interpolation.
#include "engine/backproject/parallel/cuda/alu_kernel.cuh"

namespace engine::cuda
{

bool launchAluNearest(const AluTuning& wanted, const KernelArguments& arguments)
{
    return launchAluModeVariant<AluMode::nearest>(wanted, arguments);
}

} // namespace engine::cuda
