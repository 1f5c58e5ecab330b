// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/prepare/virtual_detector.h"

#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/scan/ray_weights.h"
#include "engine/scan/some_projections.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

namespace engine
{

VirtualDetector::VirtualDetector(const Geometry& recorded) : m_geometry(recorded)
{
    if (const auto* cone = std::get_if<ConeBeam>(&recorded))
        seeCone(*cone);
    else if (const auto* parallel = std::get_if<ParallelBeam>(&recorded))
        seeParallel(*parallel);
}

void VirtualDetector::seeParallel(const ParallelBeam& parallel)
{
    if (auto made = oneSided(parallel)) {
        ParallelBeam& wide = std::get<ParallelBeam>(m_geometry);
        m_isRecorded = false;
        m_left = made->blankLeft;
        m_right = made->blankRight;
        wide.bins += m_left + m_right;
        for (double& axis : wide.axisBins)
            axis += m_left;
        m_weights = std::move(made->weights);
        m_note = std::move(made->note);
    }
}

void VirtualDetector::seeCone(const ConeBeam& cone)
{
    const ConeBeam turned = upright(cone);
    ConeBeam wide = widened(turned);
    m_isRecorded = wide == cone;
    m_right = wide.blankRight - turned.blankRight;
    m_left = wide.blankLeft - turned.blankLeft;
    if (turned != cone) {
        double most = 0;
        for (const ProjectionMatrix& m : projectionMatrices(cone)) {
            const AxisImage axis = axisImageOf(m, cone);
            const CentralRay ray = centralRayOf(m);
            const double s = std::sin(axis.leanRad), ratio = ray.lengthRows / ray.lengthBins;
            m_turns.push_back({axis.bin, axis.row, std::cos(axis.leanRad), -s * ratio, s / ratio});
            most = std::max(most, std::abs(axis.leanRad));
        }
        m_note = "The axis leans by " + numberToText(std::round(most * 18000 / std::numbers::pi) / 100) +
                 "° on a detector that extends further on one side of the axis: the projections were turned upright "
                 "before filtering.";
    }
    m_geometry = std::move(wide);
}

VirtualDetector VirtualDetector::of(const std::vector<int>& projections) const
{
    VirtualDetector some = *this;
    some.m_geometry = withProjections(m_geometry, projections);
    const std::size_t all = anglesRadOf(m_geometry).size();
    if (const std::size_t bins = m_weights.size() / std::max<std::size_t>(all, 1);
        m_weights.size() == all * bins && bins == static_cast<std::size_t>(binsOf(m_geometry) - m_left - m_right)) {
        some.m_weights.clear();
        for (const int p : projections)
            some.m_weights.insert(some.m_weights.end(), m_weights.begin() + static_cast<std::ptrdiff_t>(p * bins),
                                  m_weights.begin() + static_cast<std::ptrdiff_t>((p + 1) * bins));
    }
    some.m_turns.clear();
    for (std::size_t k = 0; !m_turns.empty() && k < projections.size(); ++k)
        some.m_turns.push_back(m_turns[projections[k]]);
    return some;
}

Sinograms VirtualDetector::see(const Sinograms& all, int firstRow, const RowRange& rows) const
{
    const int bins = this->bins(all.bins);
    Sinograms seen{rows.count, all.projections, bins,
                   Values(static_cast<std::size_t>(rows.count) * all.projections * bins)};
    const auto lineOf = [&](int row, int projection) { // beyond the recorded rows, the outermost row is repeated
        const std::size_t there = std::clamp(row - firstRow, 0, all.slices - 1);
        return all.values.data() + (there * all.projections + projection) * all.bins;
    };
    const auto valueAt = [&](const float* line, double bin) { // linear; falls to zero over a bin at the ends
        const double whole = std::floor(bin);
        if (!(whole >= -1 && whole < all.bins))
            return 0.0;
        const int first = static_cast<int>(whole);
        const double here = first >= 0 ? line[first] : 0, next = first + 1 < all.bins ? line[first + 1] : 0;
        return here + (bin - whole) * (next - here);
    };
    parallelFor(0, rows.count, [&](int k) {
        const int row = rows.first + k;
        for (int p = 0; p < all.projections; ++p) {
            float* to = seen.values.data() + (static_cast<std::size_t>(k) * all.projections + p) * bins;
            if (m_turns.empty()) {
                std::fill_n(to, m_left, 0.0F);
                const float* line = lineOf(row, p);
                if (m_weights.empty()) {
                    std::copy_n(line, all.bins, to + m_left);
                } else {
                    const std::size_t own = m_weights.size() > static_cast<std::size_t>(all.bins) ? p : 0;
                    const float* weights = m_weights.data() + own * all.bins;
                    std::transform(line, line + all.bins, weights, to + m_left, std::multiplies<>());
                }
                std::fill_n(to + m_left + all.bins, m_right, 0.0F);
                continue;
            }
            const Turn& turn = m_turns[p];
            for (int i = 0; i < bins; ++i) {
                const double across = i - m_left - turn.bin, along = row - turn.row;
                const double bin = turn.bin + turn.cosine * across + turn.binsPerRow * along;
                const double at = turn.row + turn.rowsPerBin * across + turn.cosine * along;
                const double above = std::floor(at);
                const double upper = valueAt(lineOf(static_cast<int>(above), p), bin);
                const double lower = valueAt(lineOf(static_cast<int>(above) + 1, p), bin);
                to[i] = static_cast<float>(upper + (at - above) * (lower - upper));
            }
        }
    });
    return seen;
}

} // namespace engine
