// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/plane/plane_sum.h"

#include "engine/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace engine::cuda
{

PlaneSum::PlaneSum(const LaunchArguments& arguments)
    : launch(arguments), groups{arguments.sinograms.slices, arguments.sinograms.bins},
      half(arguments.kernel.precision == Precision::half), m_isCone(!takesParallelBeam(arguments.geometry)),
      m_views(planeViewsOf(arguments)), m_width(arguments.plane->width), m_height(arguments.plane->height)
{
    require(groups.pitch(half) * groups.groups() < 1ULL << 32,
            std::to_string(groups.rows) + " rows of " + std::to_string(groups.bins) +
                " bins are more than 4 GB per projection; choose cpu");
    require(groups.bins <= mostTextureBins && groups.projectionsPerTexture() > 0,
            std::to_string(groups.rows) + " rows of " + std::to_string(groups.bins) +
                " bins are more than a GPU's texture holds (" + std::to_string(mostTextureBins) + " bins); choose cpu");
    m_isUpright = isUpright();
    if (m_isUpright)
        return;
    turn();
    m_isUpright = isUpright();
    // Lanes along rows are faster, the more so if rows are level.
    const Affine& r = m_views.front().r;
    if (!m_isUpright && (m_isCone || std::abs(r.perColumn) > std::abs(r.perRow)))
        turn();
}

// Exchanges the columns of the image with its rows.
void PlaneSum::turn()
{
    for (PlaneView& view : m_views)
        for (Affine* part : {&view.h, &view.r, &view.w})
            std::swap(part->perColumn, part->perRow);
    std::swap(m_width, m_height);
    m_isTurned = !m_isTurned;
}

// Returns whether all pixels of a column meet the same bin and all pixels of a row the same row, and neighbouring rows
// share groups. Directions of a turned plane may be off by rounding errors.
bool PlaneSum::isUpright() const
{
    if (m_isCone)
        return isUprightCone();
    const Affine& r = m_views.front().r;
    if (std::abs(r.perColumn) * m_width > 1e-6 || !(std::abs(r.perRow) > 1e-3 && std::abs(r.perRow) < rowsPerGroup))
        return false;
    for (const PlaneView& view : m_views)
        if (std::abs(view.h.perRow) * m_height > 1e-6)
            return false;
    return true;
}

// Returns whether all pixels of a column meet the same bin of a cone beam, and neighbouring ones share groups.
bool PlaneSum::isUprightCone() const
{
    for (const auto& [h, r, w] : m_views) {
        const double nearest = w.atMiddle - std::abs(w.perColumn) * m_width / 2;
        if (!(nearest > 0) || std::abs(h.perRow) * m_height > 1e-6 * nearest ||
            std::abs(w.perRow) * m_height > 1e-9 * nearest || std::abs(r.perRow) > mostConeRowStep * nearest)
            return false;
    }
    return true;
}

int PlaneSum::kernel() const
{
    return (m_isCone ? 1 : 0) + (m_isUpright ? 2 : 0) +
           (launch.kernel.interpolation == Interpolation::nearest ? 4 : 0) + (half ? 8 : 0);
}

std::vector<int> PlaneSum::projectionsOf(const StoredPart& part) const
{
    const int step = launch.projectionStep;
    std::vector<int> projections;
    for (int p = (part.first + step - 1) / step * step; p < part.first + part.count; p += step)
        projections.push_back(p);
    return projections;
}

void PlaneSum::enqueue(const StoredPart& part, std::span<const int> projections, std::span<const float> unscale,
                       PlaneTarget target, const DeviceTimer::Span& timer) const
{
    target.linear = launch.kernel.interpolation != Interpolation::nearest;
    target.stored = part.memory->view(target.linear);
    target.width = m_width;
    target.height = m_height;
    const auto across = static_cast<std::size_t>(launch.plane->width);
    target.columnStride = m_isTurned ? across : 1;
    target.rowStride = m_isTurned ? 1 : across;
    target.groups = groups.groups();
    target.rows = groups.rows;
    target.count = static_cast<int>(projections.size());
    target.first = projections.empty() ? 0 : projections.front() - part.first;
    target.step = launch.projectionStep;
    const auto launched = [&](auto& arguments, auto kernel) {
        arguments.target = target;
        fill(arguments, projections, unscale);
        timer.begun.record(target.stream);
        kernel(arguments);
        timer.ended.record(target.stream);
    };
    if (m_isCone)
        launched(*std::make_unique<ConePlaneArguments>(), m_isUpright ? launchUprightCone : launchConePlane);
    else
        launched(*std::make_unique<ParallelPlaneArguments>(), m_isUpright ? launchUprightPlane : launchParallelPlane);
}

void PlaneSum::fill(ParallelPlaneArguments& arguments, std::span<const int> projections,
                    std::span<const float> unscale) const
{
    const Affine& r = m_views.front().r;
    arguments.r = r.atMiddle;
    arguments.rx = m_isUpright ? 0 : r.perColumn;
    arguments.ry = r.perRow;
    arguments.bins = groups.bins;
    arguments.half = half;
    // Factors are powers of two, and mostly the same.
    float largest = 0;
    for (const int projection : projections)
        largest = std::max(largest, unscale[projection]);
    arguments.unscale = largest * static_cast<float>(arguments.target.step);
    for (std::size_t k = 0; k < projections.size(); ++k) {
        const Affine& h = m_views[projections[k]].h;
        const float factor = unscale[projections[k]] / largest;
        arguments.hasFactors = arguments.hasFactors || factor != 1;
        arguments.views[k] = {static_cast<float>(arguments.target.linear ? h.atMiddle - 0.5 : h.atMiddle),
                              static_cast<float>(h.perColumn), static_cast<float>(h.perRow), factor};
    }
    if (!m_isUpright)
        return;
    // Groups that the image meets, with half a row more for the nearest rows.
    const double reach = std::abs(r.perRow) * (m_height - 1) / 2 + 0.5;
    const auto groupAt = [&](double row) {
        return static_cast<int>(std::clamp(row + 1, 0.0, 1.0 * groups.rows)) / rowsPerGroup;
    };
    arguments.firstGroup = groupAt(r.atMiddle - reach);
    arguments.groupCount = groupAt(r.atMiddle + reach) - arguments.firstGroup + 1;
}

void PlaneSum::fill(ConePlaneArguments& arguments, std::span<const int> projections,
                    std::span<const float> unscale) const
{
    for (std::size_t k = 0; k < projections.size(); ++k) {
        const auto& [h, r, w] = m_views[projections[k]];
        // Positions count from near the middle of the image, so that floats have the digits for the rest.
        int bin = 0, group = 0;
        if (w.atMiddle > 0) {
            bin = static_cast<int>(std::clamp(std::floor(h.atMiddle / w.atMiddle), 0.0, groups.bins - 1.0));
            const double counted = (r.atMiddle / w.atMiddle + 1) / rowsPerGroup;
            group = static_cast<int>(std::clamp(std::floor(counted), 0.0, groups.groups() - 1.0));
        }
        const auto from = [&w = w](const Affine& a, double position) {
            const auto less = [position](double value, double distance) {
                return static_cast<float>(value - position * distance);
            };
            return std::array{less(a.atMiddle, w.atMiddle), less(a.perColumn, w.perColumn), less(a.perRow, w.perRow)};
        };
        const auto [h0, hx, hy] = from(h, bin);
        const auto [r0, rx, ry] = from(r, rowsPerGroup * group - 1);
        const auto [w0, wx, wy] = from(w, 0);
        arguments.views[k] = {h0,    hx,
                              hy,    r0,
                              rx,    ry,
                              w0,    wx,
                              wy,    static_cast<float>(bin) + 0.5F,
                              group, unscale[projections[k]] * static_cast<float>(arguments.target.step)};
    }
}

} // namespace engine::cuda
