// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cpu/cone/ladder_scalar.h"

#include <algorithm>
#include <cmath>

namespace engine
{

ScalarView scalarViewOf(const ProjectionMatrix& m, const VolumeGrid& grid)
{
    const double middle[3] = {(grid.width - 1) / 2.0, (grid.height - 1) / 2.0, (grid.slices - 1) / 2.0};
    const auto row = [&](int r) {
        return m[4 * r] * middle[0] + m[4 * r + 1] * middle[1] + m[4 * r + 2] * middle[2] + m[4 * r + 3];
    };
    const double w0 = row(2), u0 = row(0) / w0, v0 = row(1) / w0;
    ScalarView view;
    for (int axis = 0; axis < 3; ++axis) {
        view.ud[axis] = static_cast<float>(m[axis] - u0 * m[8 + axis]);
        view.vd[axis] = static_cast<float>(m[4 + axis] - v0 * m[8 + axis]);
        view.wd[axis] = static_cast<float>(m[8 + axis]);
    }
    view.u0 = static_cast<float>(u0);
    view.v0 = static_cast<float>(v0);
    view.w0 = static_cast<float>(w0);
    return view;
}

void addScalar(const LadderLine& at, const ScalarView& view, float x, float y, float z, int voxels, float* sums)
{
    const auto product = [y, z](const float(&row)[3], float column) {
        return row[0] * column + row[1] * y + row[2] * z;
    };
    for (int i = 0; i < voxels; ++i) {
        const float column = x + static_cast<float>(i);
        const float f = 1 / (product(view.wd, column) + view.w0);
        const float u = std::clamp(product(view.ud, column) * f + view.u0, -2.0f, static_cast<float>(at.points));
        const float v = std::clamp(product(view.vd, column) * f + view.v0, -2.0f, static_cast<float>(at.lines));
        const float bin = std::floor(u), row = std::floor(v);
        const float fu = u - bin, fv = v - row;
        const float* upper = at.image + static_cast<std::ptrdiff_t>(row) * at.stride + static_cast<std::ptrdiff_t>(bin);
        const float* lower = upper + at.stride;
        const float above = upper[0] * (1 - fu) + upper[1] * fu, below = lower[0] * (1 - fu) + lower[1] * fu;
        sums[i] += f * f * (above * (1 - fv) + below * fv);
    }
}

} // namespace engine
