// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/wide_object.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace engine
{

namespace
{

constexpr int mostProjectionsLooked = 8, mostRowsLooked = 2, mostSidesLooked = 4, mostInner = 64, leastOuter = 4;
constexpr double edgeShare = 0.1; // minimum signal at an end over that of the densest bin; errors of flats are smaller
constexpr double agreeing = 0.9;  // minimum share of the projections
constexpr double noisesOutside = 3; // multiple of the noise of a bin, including that of flat fields

// Returns the k-th of `some` indices spread evenly over `all`.
std::size_t spread(int k, int some, int all)
{
    return static_cast<std::size_t>((2LL * k + 1) * all / (2 * some));
}

// Line integrals of single values.
class Integrals
{
  public:
    Integrals(const Scan& scan, const RawRows& raw)
        : m_raw(raw), m_quantity(scan.quantity), m_frame(static_cast<std::size_t>(raw.rows.count) * raw.bins)
    {
    }

    double at(std::size_t projection, std::size_t pixel) const
    {
        const double value = m_raw.data[projection * m_frame + pixel];
        if (m_quantity == Quantity::attenuation)
            return value;
        double share = value;
        if (m_quantity == Quantity::counts) {
            const double dark = mean(m_raw.darks, m_raw.darkFrames, pixel);
            share = (value - dark) / (mean(m_raw.flats, m_raw.flatFrames, pixel) - dark);
        }
        return share > 0 ? -std::log(share) : 0.0;
    }

  private:
    double mean(const Values& frames, int count, std::size_t pixel) const
    {
        const int used = std::min(count, mostSidesLooked);
        double sum = 0;
        for (int k = 0; k < used; ++k)
            sum += frames[k * m_frame + pixel] / used;
        return sum;
    }

    const RawRows& m_raw;
    Quantity m_quantity;
    std::size_t m_frame;
};

} // namespace

bool isWiderThanDetector(const Scan& scan, const RawRows& raw)
{
    if (raw.bins == 0 || raw.projections == 0 || raw.rows.count == 0 ||
        (scan.quantity == Quantity::counts && raw.flatFrames == 0))
        return false;
    const int projections = std::min(raw.projections, mostProjectionsLooked),
              rows = std::min(raw.rows.count, mostRowsLooked);
    const int outer = std::min(raw.bins, std::max(leastOuter, raw.bins / 50)), inner = std::min(raw.bins, mostInner);
    const Integrals integrals(scan, raw);
    std::vector<double> left, right, middle(static_cast<std::size_t>(inner));
    double squares = 0; // of differences between neighbouring bins
    for (int p = 0; p < projections; ++p) {
        const std::size_t projection = spread(p, projections, raw.projections);
        const auto seen = [&](std::size_t bin) {
            double sum = 0;
            for (int r = 0; r < rows; ++r) {
                const double value = integrals.at(projection, spread(r, rows, raw.rows.count) * raw.bins + bin);
                sum += std::isfinite(value) ? value / rows : 0;
            }
            return sum;
        };
        const auto meanFrom = [&](int first) {
            double sum = 0, before = 0;
            for (int k = 0; k < outer; ++k) {
                const double value = seen(static_cast<std::size_t>(first + k));
                squares += k > 0 ? (value - before) * (value - before) : 0;
                sum += value / outer;
                before = value;
            }
            return sum;
        };
        left.push_back(meanFrom(0));
        right.push_back(meanFrom(raw.bins - outer));
        for (int k = 0; k < inner; ++k)
            middle[static_cast<std::size_t>(k)] += seen(spread(k, inner, raw.bins)) / projections;
    }
    const double noise = std::sqrt(squares / (2.0 * projections * std::max(1, 2 * (outer - 1))));
    const double most = *std::ranges::max_element(middle), least = std::max(edgeShare * most, noisesOutside * noise);
    const auto reaches = [&](const std::vector<double>& end) {
        return most > 0 &&
               static_cast<double>(std::ranges::count_if(end, [&](double value) { return value > least; })) >=
                   agreeing * projections;
    };
    return reaches(left) || reaches(right);
}

} // namespace engine
