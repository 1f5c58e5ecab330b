// SPDX-License-Identifier: GPL-3.0-or-later
// Reconstruction of many slices of a scan for the 3-D view, in groups one after the other.
#pragma once

#include "engine/reconstruct/reconstruction.h"

#include <array>
#include <functional>
#include <memory>
#include <stop_token>

namespace ui
{

// Returns the numbers of voxels along x, y and z in a stack of every step-th pixel and slice.
std::array<int, 3> sizeOfStack(const std::shared_ptr<const engine::Scan>& scan, int step);

// Returns 1 (every pixel and slice) for a small stack, otherwise 2.
int proposedStep(const std::shared_ptr<const engine::Scan>& scan);

// Reconstructs every step-th slice with every step-th pixel as one volume in memory. Throws engine::Error.
std::shared_ptr<const engine::Reconstruction> reconstructStack(const engine::Request& request, int step,
                                                               const std::function<void(double)>& progress,
                                                               std::stop_token stop);

// Returns a request for all slices; with an automatic method, as many per pass as is fastest.
engine::Request wholeOf(const engine::Request& request);
// The same for a part of the volume.
engine::Request partOf(const engine::Request& request, const engine::Place& place);

} // namespace ui
