// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cone/single_views.h"

#include <cmath>

namespace engine
{

namespace
{

// Expresses a matrix relative to the middle of the grid and to the position (hc, rc) where the detector sees it.
ConeView coneViewOf(const ProjectionMatrix& m, const VolumeGrid& grid, double hc, double rc)
{
    const double x = (grid.width - 1) / 2.0, y = (grid.height - 1) / 2.0, z = (grid.slices - 1) / 2.0;
    double rows[3][4];
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 4; ++k)
            rows[row][k] = m[4 * row + k];
        rows[row][3] += rows[row][0] * x + rows[row][1] * y + rows[row][2] * z;
    }
    ConeView view{};
    float* targets[3] = {&view.hx, &view.rx, &view.wx};
    const double away[3] = {hc, rc, 0};
    for (int row = 0; row < 3; ++row)
        for (int k = 0; k < 4; ++k)
            targets[row][k] = static_cast<float>(rows[row][k] - away[row] * rows[2][k]);
    view.hc = static_cast<float>(hc);
    view.rc = static_cast<float>(rc);
    return view;
}

double rounded(double value) // to a multiple of 1/1024, which a float holds exactly
{
    return std::round(value * 1024) / 1024;
}

// Returns whether projection b sees (−x, −y) where a sees (x, y).
bool isOpposite(const ConeView& a, const ConeView& b)
{
    const auto near = [](float p, float q, float size) { return std::abs(p - q) <= 2e-7F * size; };
    const float h = std::hypot(a.hx, a.hy), r = std::hypot(a.rx, a.ry) + std::abs(a.rz), w = std::hypot(a.wx, a.wy);
    return a.hc == b.hc && a.rc == b.rc && near(a.hx, -b.hx, h) && near(a.hy, -b.hy, h) && near(a.rx, -b.rx, r) &&
           near(a.ry, -b.ry, r) && near(a.wx, -b.wx, w) && near(a.wy, -b.wy, w) && near(a.h0, b.h0, h) &&
           near(a.r0, b.r0, r) && near(a.rz, b.rz, r) && near(a.w0, b.w0, 1);
}

} // namespace

std::vector<ConeView> singleViewsOf(const std::vector<ProjectionMatrix>& matrices, const VolumeGrid& grid)
{
    const double x = (grid.width - 1) / 2.0, y = (grid.height - 1) / 2.0, z = (grid.slices - 1) / 2.0;
    std::vector<ConeView> views;
    for (const ProjectionMatrix& m : matrices) {
        const double w = m[8] * x + m[9] * y + m[10] * z + m[11];
        const auto seen = [&](int row) { // detector position of the middle, 0: bin, 1: row
            return rounded((m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z + m[4 * row + 3]) / w);
        };
        views.push_back(coneViewOf(m, grid, seen(0), seen(1)));
    }
    return views;
}

bool areOpposite(const std::vector<ConeView>& views)
{
    const std::size_t half = views.size() / 2;
    bool opposite = views.size() % 2 == 0;
    for (std::size_t p = 0; opposite && p < half; ++p)
        opposite = isOpposite(views[p], views[p + half]);
    return opposite;
}

} // namespace engine
