// SPDX-License-Identifier: GPL-3.0-or-later
// Many slices of a scan, one group after the other: for the view in three dimensions.
#pragma once

#include "engine/reconstruct/reconstruction.h"

#include <array>
#include <functional>
#include <memory>
#include <stop_token>

namespace ui
{

// Voxels along x, y and z of a scan's stack of every step-th pixel and slice.
std::array<int, 3> sizeOfStack(const std::shared_ptr<const engine::Scan>& scan, int step);

// Every pixel and slice (1) of a stack that is small, else every second.
int proposedStep(const std::shared_ptr<const engine::Scan>& scan);

// Every step-th row and every step-th pixel, as one volume in memory. Throws engine::Error.
std::shared_ptr<const engine::Reconstruction> reconstructStack(const engine::Request& request, int step,
                                                               const std::function<void(double)>& progress,
                                                               std::stop_token stop);

// All rows as many at once as is fastest.
engine::Request wholeOf(const engine::Request& request);

} // namespace ui
