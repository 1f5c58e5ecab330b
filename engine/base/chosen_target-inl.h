// SPDX-License-Identifier: GPL-3.0-or-later
// The instruction set of a thread's kernels. Highway has one for the whole program: two launches with different
// variants at the same time would change it for each other. Include after Highway.
#pragma once

namespace engine
{

// Returns the choice of the calling thread (ForcedTarget, kernels.h), else Highway's: the best.
const hwy::ChosenTarget& chosenTarget();

} // namespace engine

// As HWY_DYNAMIC_DISPATCH(), for the calling thread. Kernels that worker threads run are dispatched before.
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define SINOSCOPE_DISPATCH(function) HWY_STATIC_DISPATCH(function)
#else
#define SINOSCOPE_DISPATCH(function) (*(HWY_DISPATCH_TABLE(function)[engine::chosenTarget().GetIndex()]))
#endif
