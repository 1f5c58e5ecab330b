// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/object_extent.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ui
{

namespace
{

constexpr double valuesLookedAt = 4e6;
constexpr double leastPart = 0.03; // of the values above the threshold in the plane that has most of them

} // namespace

std::array<int, 6> objectExtent(const engine::Volume& volume, double threshold)
{
    const std::array<int, 3> size = {volume.width, volume.height, volume.slices};
    const double voxels = static_cast<double>(size[0]) * size[1] * size[2];
    const int step = std::max(1, static_cast<int>(std::cbrt(voxels / valuesLookedAt)));
    std::array<std::vector<long>, 3> counts;
    for (int k = 0; k < 3; ++k)
        counts[k].resize((size[k] + step - 1) / step);
    for (int z = 0; z < size[2]; z += step)
        for (int y = 0; y < size[1]; y += step) {
            const float* const row = volume.slice(z).data() + static_cast<std::size_t>(y) * size[0];
            for (int x = 0; x < size[0]; x += step)
                if (row[x] > threshold) {
                    ++counts[0][x / step];
                    ++counts[1][y / step];
                    ++counts[2][z / step];
                }
        }
    std::array<int, 6> extent;
    for (int k = 0; k < 3; ++k) {
        const double least = std::max(1.0, leastPart * *std::ranges::max_element(counts[k]));
        const auto isOccupied = [least](long count) { return count >= least; };
        const auto first = std::ranges::find_if(counts[k], isOccupied);
        if (first == counts[k].end())
            return {0, size[0] - 1, 0, size[1] - 1, 0, size[2] - 1};
        const auto end = std::find_if(counts[k].rbegin(), counts[k].rend(), isOccupied).base();
        extent[2 * k] = std::max(0, static_cast<int>(first - counts[k].begin()) * step - step);
        extent[2 * k + 1] = std::min(size[k] - 1, static_cast<int>(end - counts[k].begin()) * step);
    }
    return extent;
}

} // namespace ui
