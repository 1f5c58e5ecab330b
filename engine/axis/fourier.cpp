// SPDX-License-Identifier: GPL-3.0-or-later
// A half turn and its mirror image about the axis make a full turn. The two-dimensional transform of a full turn is
// nearly empty outside a double wedge, as a point within R of the axis moves by at most R bins per radian. If
// mirrored about any other position, the two halves don't continue each other, and the jump at their seam fills the
// outside.
#include "engine/axis/curve.h"
#include "engine/axis/method.h"
#include "engine/axis/opposite_views.h"
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/filter/transform.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace engine
{

namespace
{

using std::numbers::pi;

constexpr int leastProjections = 8; // fewer have no harmonics outside the wedge

// Returns whether the angles cover half a turn, evenly enough for a transform along the angle.
bool isHalfTurn(const Arc& arc)
{
    if (arc.length() + 1.5 * arc.step < pi)
        return false;
    for (std::size_t k = 1; k < arc.anglesRad.size(); ++k)
        if (arc.anglesRad[k] - arc.anglesRad.front() < pi && arc.anglesRad[k] - arc.anglesRad[k - 1] > 2.5 * arc.step)
            return false;
    return true;
}

// std::abs takes three times as long.
double magnitude(std::complex<float> value)
{
    const double real = value.real(), imaginary = value.imag();
    return std::sqrt(real * real + imaginary * imaginary);
}

// Mean magnitude outside the double wedge, for a half turn and its mirror image about any position.
class DoubleWedge
{
  public:
    explicit DoubleWedge(const ReducedRow& half)
        : m_half(half), m_bins(half.row.bins), m_rows(half.row.projections),
          m_alongBins(Transform<float>::of(m_bins, static_cast<std::size_t>(2 * m_rows))),
          m_alongAngles(Transform<float>::of(2 * m_rows, static_cast<std::size_t>(m_bins))), m_lines(lines(half))
    {
        // |harmonic| > R·2π·|frequency|, with R half the detector.
        m_columns = std::min(m_bins / 2, static_cast<int>(m_rows / pi));
        TransformRow<float> row(m_bins);
        for (int k = 0; k < m_rows; ++k) {
            std::copy_n(line(k), m_bins, row.data());
            transformed(row, m_here);
        }
    }

    double outside(double axis) const
    {
        TransformRow<float> row(m_bins);
        std::vector<std::complex<float>> mirrored;
        for (int k = 0; k < m_rows; ++k) {
            // Where the mirrored position lies outside the detector, the half turn is continued by itself in reverse
            // order, without mirroring.
            const float* back = line(m_rows - 1 - k);
            for (int bin = 0; bin < m_bins; ++bin)
                row.data()[bin] = valueAt(line(k), 2 * axis - bin, back[bin]);
            transformed(row, mirrored);
        }
        TransformRow<float> column(2 * m_rows);
        double sum = 0;
        long long count = 0;
        constexpr int leftOut = 1; // number of frequencies along the bins, from 0 on, that are not used
        const int leastHarmonic = std::max(2, static_cast<int>(std::ceil(.05 * m_rows)));
        for (int u = leftOut; u < m_columns; ++u) {
            for (int k = 0; k < m_rows; ++k) {
                column.data()[k] = m_here[static_cast<std::size_t>(k) * m_columns + u];
                column.data()[m_rows + k] = mirrored[static_cast<std::size_t>(k) * m_columns + u];
            }
            m_alongAngles.forward(column);
            const int first = std::max(leastHarmonic, static_cast<int>(std::ceil(pi * u)));
            for (int harmonic = first; harmonic < m_rows; ++harmonic) {
                sum += magnitude(column.data()[harmonic]) + magnitude(column.data()[2 * m_rows - harmonic]);
                count += 2;
            }
        }
        return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::infinity();
    }

  private:
    static std::vector<float> lines(const ReducedRow& half)
    {
        std::vector<float> all;
        for (int k = 0; k < half.row.projections; ++k) {
            const float* from = half.row.values.data() + static_cast<std::size_t>(k) * half.row.bins;
            const BinLine smooth = blurred(BinLine(from, from + half.row.bins), 1);
            all.insert(all.end(), smooth.begin(), smooth.end());
        }
        return all;
    }
    const float* line(int k) const { return m_lines.data() + static_cast<std::size_t>(k) * m_bins; }

    // Catmull-Rom interpolation. Linear interpolation blurs most halfway between bins, and positions where noise is
    // blurred would seem the smoothest.
    float valueAt(const float* values, double position, float beyond) const
    {
        if (position < 0 || position > m_bins - 1)
            return beyond;
        const int bin = std::min(static_cast<int>(position), m_bins - 2);
        const auto t = static_cast<float>(position - bin);
        const float before = values[std::max(bin - 1, 0)], here = values[bin], next = values[bin + 1],
                    after = values[std::min(bin + 2, m_bins - 1)];
        return here + t / 2 *
                          (next - before +
                           t * (2 * before - 5 * here + 4 * next - after + t * (3 * (here - next) + after - before)));
    }

    void transformed(TransformRow<float>& row, std::vector<std::complex<float>>& to) const
    {
        m_alongBins.forward(row);
        to.insert(to.end(), row.data(), row.data() + m_columns);
    }

    const ReducedRow& m_half;
    int m_bins, m_rows, m_columns = 0;
    const Transform<float>&m_alongBins, &m_alongAngles;
    std::vector<float> m_lines;
    std::vector<std::complex<float>> m_here;
};

AxisGuess leastOutsideWedge(const AxisSearch& search)
{
    const std::vector<int> order = halfTurnOf(search.beam.anglesRad);
    const ReducedRow coarse = reduced(search, 256, 256, order), fine = reduced(search, 1024, 360, order);
    const DoubleWedge wedge(coarse);
    // Only the middle half is searched. Nearer to an edge, few bins are seen from both sides. For all other bins, the
    // half turn is continued in reverse order, which is smooth for every axis, so that a wrong one would not stand out.
    const int first = coarse.row.bins / 4, last = coarse.row.bins - 1 - first;
    AxisCurve curve{coarse.toBins(first), coarse.factor / 2.0, std::vector<double>(2 * (last - first) + 1)};
    parallelFor(0, static_cast<int>(curve.values.size()), [&](int k) {
        throwIfStopped(search.stop);
        curve.values[k] = wedge.outside(first + k / 2.0);
    });
    AxisGuess guess = leastOf(curve, std::max(4.0, search.row.bins / 50.0));
    const DoubleWedge refined(fine);
    const double start = fine.toReduced(guess.bins), step = std::max(.5, .5 * coarse.factor / fine.factor);
    guess.bins = fine.toBins(leastNear([&](double axis) { return refined.outside(axis); }, start, step, search.stop));
    guess.score *= likenessAbout(search, guess.bins);
    return guess;
}

} // namespace

const AxisMethod fourierAxis = {
    .id = "fourier",
    .label = "Fourier",
    .summary = "A half turn and its mirror image form the smoothest full turn at the right axis: least energy outside "
               "a double wedge of their Fourier transform. Uses the middle half of the detector.",
    .reference = "Vo et al., Opt. Express 22 (2014) 19078, doi:10.1364/OE.22.019078",
    .trust = 0.9,
    .errorBins = 0.2,
    .isQuick = true,
    .unsuited = [](const AxisSearch& search) -> std::optional<std::string> {
        const Arc arc = arcOf(search.beam.anglesRad);
        if (!isHalfTurn(arc))
            return "It needs evenly spaced angles over half a turn.";
        if (static_cast<int>(halfTurnOf(search.beam.anglesRad).size()) < leastProjections || search.row.bins < 32)
            return "It needs " + std::to_string(leastProjections) + " projections of 32 bins.";
        return std::nullopt;
    },
    .find = leastOutsideWedge,
};

} // namespace engine
