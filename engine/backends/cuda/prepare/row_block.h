// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a launch's rows, as a GPU gets them.
#pragma once

#include "engine/scan/scan.h"

#include <numeric>
#include <vector>

namespace engine::cuda
{

// Some rows of all projections, or all rows of some projections and, perhaps, of those half of all projections later.
struct RowBlock {
    RowRange rows, projections;
    int apart = 0; // half of all projections, if these belong to the block, too; else 0

    int count() const { return apart > 0 ? 2 * projections.count : projections.count; } // of projections
    std::vector<int> all() const // indices of its projections, in their order on the device
    {
        std::vector<int> indices(static_cast<std::size_t>(count()));
        const auto later = indices.begin() + projections.count;
        std::iota(indices.begin(), later, projections.first);
        std::iota(later, indices.end(), projections.first + apart);
        return indices;
    }
};

} // namespace engine::cuda
