// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/line_moments.h"

#include "engine/guess/line_integrals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace engine
{

namespace
{

constexpr double steadyMass = 0.05; // relative standard deviation of the projections' mass

void subtractFrom(std::vector<double>& from, const std::vector<double>& unit)
{
    const double part = scalarProduct(from, unit);
    for (std::size_t k = 0; k < from.size(); ++k)
        from[k] -= part * unit[k];
}

// Returns whether the signal at an end of the detector is more than a small share of that in the middle of the
// object.
bool reachesAnEnd(const TurnLines& lines)
{
    const auto bins = static_cast<std::size_t>(lines.bins);
    const std::size_t outer = std::max<std::size_t>(1, bins / 50);
    std::vector<double> mean(bins);
    for (std::size_t k = 0; k < lines.values.size(); ++k)
        mean[k % bins] += lines.values[k];
    const double most = *std::ranges::max_element(mean);
    double left = 0, right = 0;
    for (std::size_t k = 0; k < outer; ++k) {
        left += mean[k] / static_cast<double>(outer);
        right += mean[bins - 1 - k] / static_cast<double>(outer);
    }
    return !(most > 0) || std::max(std::abs(left), std::abs(right)) > 0.05 * most;
}

// Determines whether the moments are usable, and whether they change at all.
void judge(OrderMoments& moments)
{
    const auto count = static_cast<double>(moments.series[0].at.size());
    double mass = 0;
    for (const double each : moments.mass)
        mass += each / count;
    moments.isUsable = !moments.isCut && mass > 0 && standardDeviationOf(moments.mass) < steadyMass * mass;
    moments.isStill = moments.isUsable;
    for (int order = 1; order <= momentOrders; ++order)
        moments.isStill &= standardDeviationOf(moments.series[static_cast<std::size_t>(order - 1)].values) <
                           1e-6 * std::pow(moments.width, order);
}

} // namespace

std::pair<int, int> binsOfObject(const TurnLines& lines)
{
    const auto bins = static_cast<std::size_t>(lines.bins);
    std::vector<double> mean(bins);
    for (std::size_t k = 0; k < lines.values.size(); ++k)
        mean[k % bins] += std::abs(static_cast<double>(lines.values[k]));
    const double least = 0.02 * *std::ranges::max_element(mean);
    const auto isObject = [&](double value) { return value > least; };
    const auto first = std::ranges::find_if(mean, isObject) - mean.begin();
    const auto last = std::find_if(mean.rbegin(), mean.rend(), isObject).base() - mean.begin();
    const int margin = std::max(1, lines.bins / 50);
    return {std::max(0, static_cast<int>(first) - margin), std::min(lines.bins, static_cast<int>(last) + margin)};
}

double standardDeviationOf(const std::vector<double>& values)
{
    double mean = 0, sum = 0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    for (const double value : values)
        sum += (value - mean) * (value - mean);
    return std::sqrt(sum / static_cast<double>(values.size()));
}

AngleOf anglesEvenly(double stepRad)
{
    return [stepRad](double at) { return stepRad * at; };
}

AngleOf anglesAsGiven(const TurnLines& lines)
{
    return [&lines](double at) {
        const auto place = std::ranges::lower_bound(lines.which, static_cast<int>(at)) - lines.which.begin();
        return lines.givenRad[static_cast<std::size_t>(place)];
    };
}

Harmonics::Harmonics(const MomentSeries& series, const AngleOf& angleOf, int most)
{
    const std::size_t count = series.at.size();
    cosines[0].assign(count, 1.0);
    for (int n = 1; n <= most; ++n) {
        cosines[n].resize(count);
        sines[n].resize(count);
    }
    for (std::size_t k = 0; k < count; ++k) {
        const double angle = angleOf(series.at[k]), cosine = std::cos(angle), sine = std::sin(angle);
        double c = 1, s = 0;
        for (int n = 1; n <= most; ++n) {
            const double next = c * cosine - s * sine;
            sines[n][k] = s = s * cosine + c * sine;
            cosines[n][k] = c = next;
        }
    }
}

HarmonicFit::HarmonicFit(const MomentSeries& series, int order, const Harmonics& harmonics, bool axisDrifts)
{
    std::vector<std::vector<double>> basis;
    for (int harmonic = order; harmonic >= 0; harmonic -= 2) {
        basis.push_back(harmonics.cosines[harmonic]);
        if (harmonic > 0)
            basis.push_back(harmonics.sines[harmonic]);
    }
    if (order == 1)
        basis.push_back(harmonics.cosines[0]); // the axis
    if (order == 1 && axisDrifts)
        basis.push_back(series.at);
    residual = series.values;
    // Gram-Schmidt, twice because little may be left.
    for (std::size_t i = 0; i < basis.size(); ++i) {
        const double before = scalarProduct(basis[i], basis[i]);
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t j = 0; j < i; ++j)
                subtractFrom(basis[i], basis[j]);
        const double norm = scalarProduct(basis[i], basis[i]);
        if (norm < 1e-9 * before || !(norm > 0)) {
            std::ranges::fill(basis[i], 0.0);
            continue;
        }
        for (double& value : basis[i])
            value /= std::sqrt(norm);
        subtractFrom(residual, basis[i]);
    }
}

double HarmonicFit::squares() const
{
    return scalarProduct(residual, residual);
}

OrderMoments measureMoments(const TurnLines& lines)
{
    OrderMoments made;
    const auto [first, end] = binsOfObject(lines);
    made.isCut = reachesAnEnd(lines);
    for (std::size_t k = 0; k < lines.which.size(); ++k) {
        const float* line = lines.values.data() + k * static_cast<std::size_t>(lines.bins);
        double mass = 0, centre = 0;
        for (int bin = first; bin < end; ++bin) {
            mass += line[bin];
            centre += static_cast<double>(line[bin]) * bin;
        }
        made.mass.push_back(mass);
        if (!(std::abs(mass) > 0))
            continue;
        centre /= mass;
        std::array<double, momentOrders> moment{centre};
        for (int bin = first; bin < end; ++bin) {
            double power = (bin - centre) * line[bin] / mass;
            for (std::size_t order = 1; order < momentOrders; ++order)
                moment[order] += power *= bin - centre;
        }
        for (std::size_t order = 0; order < momentOrders; ++order) {
            made.series[order].at.push_back(lines.which[k]);
            made.series[order].values.push_back(moment[order]);
        }
        made.width += std::sqrt(std::max(0.0, moment[1])) / static_cast<double>(lines.which.size());
    }
    judge(made);
    return made;
}

double neighbourLikeness(const std::vector<double>& values)
{
    double squares = 0, together = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        squares += values[k] * values[k];
        if (k > 0)
            together += values[k] * values[k - 1];
    }
    return squares > 0 ? together / squares : 0;
}

double errorOfBins(int order, double width)
{
    return order == 1 ? 0.003 : 0.003 * order * std::pow(width, order - 1);
}

double varianceOfFit(const HarmonicFit& fit, double least)
{
    const std::vector<double>& left = fit.residual;
    const auto count = static_cast<double>(left.size());
    const double likeness = std::clamp(neighbourLikeness(left), 0.0, 0.95);
    return (fit.squares() / std::max(1.0, count - 5) + least * least) * (1 + likeness) / (1 - likeness);
}

double motionOf(const OrderMoments& moments, int order)
{
    const MomentSeries& series = moments.series[static_cast<std::size_t>(order - 1)];
    const double spread = standardDeviationOf(series.values);
    return spread < leastMotion * std::pow(moments.width, order)
               ? std::numeric_limits<double>::infinity()
               : spread * spread * static_cast<double>(series.values.size());
}

bool explainsMotion(const HarmonicFit& fit, double motion)
{
    constexpr double leftBySteady = 0.002; // share of the motion
    return fit.squares() <= unfitShare * motion &&
           (fit.squares() <= leftBySteady * motion || neighbourLikeness(fit.residual) <= 0.6);
}

} // namespace engine
