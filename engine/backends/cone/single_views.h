// SPDX-License-Identifier: GPL-3.0-or-later
// Projection matrices in single precision, for kernels of GPUs.
#pragma once

#include "engine/backends/cone/cone_view.h"
#include "engine/backends/cone/views.h"

#include <vector>

namespace engine
{

// Returns the views of the matrices. The point of each is where it sees the middle of the grid, rounded to what a float
// holds exactly.
std::vector<ConeView> singleViewsOf(const std::vector<ProjectionMatrix>& matrices, const VolumeGrid& grid);

// Returns whether the number of views is even, and each view in the second half sees (−x, −y) where its partner in the
// first half sees (x, y).
bool areOpposite(const std::vector<ConeView>& views);

} // namespace engine
