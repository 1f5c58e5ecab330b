// SPDX-License-Identifier: GPL-3.0-or-later
// One row of a scan, and the tests of it. Each test returns a reason to doubt the scan, or nothing.
#pragma once

#include "engine/base/parallel_for.h"
#include "engine/guess/line_integrals.h"
#include "engine/scan/doubt.h"
#include "engine/scan/scan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

namespace engine
{

inline constexpr int fewestViews = 12; // for any test

// Returns up to `most` of the numbers 0 … all − 1, evenly spread.
std::vector<int> spreadOver(int all, int most);

template <typename Number>
Number medianMagnitude(std::vector<Number> values)
{
    for (Number& value : values)
        value = std::abs(value);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// The middle one of the rows that were read; for a cone beam the one that is nearest to the central ray.
class ExaminedRow
{
  public:
    ExaminedRow(const Scan& scan, const RawRows& raw)
        : m_scan(scan), m_raw(raw), m_bins(static_cast<std::size_t>(raw.bins)),
          m_frame(static_cast<std::size_t>(raw.rows.count) * m_bins), m_row(raw.rows.count / 2)
    {
        if (const auto* cone = std::get_if<ConeBeam>(&scan.geometry))
            m_row = std::clamp(static_cast<int>(std::lround(cone->centralRow)) - raw.rows.first, 0, raw.rows.count - 1);
        m_first = static_cast<std::size_t>(m_row) * m_bins;
        m_darks = meanOf(raw.darks, raw.darkFrames);
        m_flats = meanOf(raw.flats, raw.flatFrames);
    }

    int number() const { return m_raw.rows.first + m_row; } // in the detector

    const Scan& scan() const { return m_scan; }
    const RawRows& raw() const { return m_raw; }
    std::size_t bins() const { return m_bins; }
    std::size_t first() const { return m_first; } // index of the row's first number in a frame
    bool isWhole() const { return m_raw.projections == m_scan.projections(); } // all projections of the scan
    bool isCounts() const { return m_scan.quantity == Quantity::counts; }

    // Calls visitor(numbers, first): `numbers` of all rows, the row of the projection begins at `first`.
    template <typename Visitor>
    auto visit(int projection, const Visitor& visitor) const
    {
        return m_raw.data.visit([&](const auto& numbers) { return visitor(numbers, projection * m_frame + m_first); });
    }

    // Values of these projections: [projection][bin], of every step-th bin.
    Values values(const std::vector<int>& which, std::size_t step = 1) const
    {
        const std::size_t bins = (m_bins + step - 1) / step;
        Values made(which.size() * bins);
        parallelFor(0, static_cast<int>(which.size()), [&](int k) {
            visit(which[static_cast<std::size_t>(k)], [&](const auto& numbers, std::size_t first) {
                for (std::size_t bin = 0; bin < bins; ++bin)
                    made[k * bins + bin] = static_cast<float>(numbers[first + bin * step]);
            });
        });
        return made;
    }

    // The light in each projection: the sum of some of its values, less the darks.
    const std::vector<double>& light() const
    {
        if (!m_light.empty())
            return m_light;
        const std::size_t step = integralStep();
        m_light.resize(static_cast<std::size_t>(m_raw.projections));
        parallelFor(0, m_raw.projections, [&](int k) {
            m_light[k] = visit(k, [&](const auto& numbers, std::size_t first) {
                double sum = 0;
                for (std::size_t bin = 0; bin < m_bins; bin += step)
                    if (const auto value = static_cast<double>(numbers[first + bin]); std::isfinite(value))
                        sum += value - (isCounts() && !m_darks.empty() ? m_darks[bin] : 0);
                return sum;
            });
        });
        return m_light;
    }

    // Line integrals of all projections, [projection][bin], of every integralStep()-th bin.
    const std::vector<float>& integrals() const
    {
        if (m_integrals.empty()) {
            const std::size_t step = integralStep();
            m_integrals = integralsOf(values(spreadOver(m_raw.projections, m_raw.projections), step), m_scan.quantity,
                                      someOf(m_darks, step), someOf(m_flats, step), (m_bins + step - 1) / step);
        }
        return m_integrals;
    }
    std::size_t integralStep() const { return std::max<std::size_t>(1, m_bins / 128); }

    // Every step-th one of a line's values.
    static std::vector<double> someOf(const std::vector<double>& line, std::size_t step)
    {
        std::vector<double> some;
        for (std::size_t bin = 0; bin < line.size(); bin += step)
            some.push_back(line[bin]);
        return some;
    }

    // The row in one of these darks or flats.
    std::vector<double> sideLine(const Values& frames, int frame) const
    {
        const auto first = frames.begin() + static_cast<std::ptrdiff_t>(frame * m_frame + m_first);
        return {first, first + static_cast<std::ptrdiff_t>(m_bins)};
    }

    // Means of the frames; empty if there are none.
    const std::vector<double>& darks() const { return m_darks; }
    const std::vector<double>& flats() const { return m_flats; }

  private:
    std::vector<double> meanOf(const Values& frames, int count) const
    {
        std::vector<double> mean(count > 0 ? m_bins : 0);
        for (int k = 0; k < count; ++k)
            for (std::size_t bin = 0; bin < mean.size(); ++bin)
                mean[bin] += frames[k * m_frame + m_first + bin] / static_cast<double>(count);
        return mean;
    }

    const Scan& m_scan;
    const RawRows& m_raw;
    std::size_t m_bins, m_frame, m_first = 0;
    int m_row;
    std::vector<double> m_darks, m_flats;
    mutable std::vector<double> m_light; // when first needed, as the next
    mutable std::vector<float> m_integrals;
};

// empty: projections that are known to be empty (emptyProjections).
std::optional<Doubt> sidesAmong(const ExaminedRow& row);      // darks and flats among projections without either
std::optional<Doubt> unfitAngles(const ExaminedRow& row);     // angles of the scan's own files
std::optional<Doubt> limitedArc(const ExaminedRow& row);      // a wide gap in the recorded angles
std::optional<Doubt> unlikeOpposites(const ExaminedRow& row); // rays of a cone or fan: angles, or their direction
std::optional<Doubt> blockedViews(const ExaminedRow& row, const std::vector<int>& empty);
std::optional<Doubt> bareViews(const ExaminedRow& row, const std::vector<int>& empty);
std::optional<Doubt> changesOfBeam(const ExaminedRow& row);
std::optional<Doubt> movedObject(const ExaminedRow& row);
std::optional<Doubt> stillViews(const ExaminedRow& row, const std::vector<int>& empty);
std::optional<Doubt> repeatedViews(const ExaminedRow& row, const std::vector<int>& empty);
std::optional<Doubt> unlikelyNumbers(const ExaminedRow& row);
std::optional<Doubt> unlikeSides(const ExaminedRow& row);

} // namespace engine
