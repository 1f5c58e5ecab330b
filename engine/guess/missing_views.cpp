// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/line_moments.h"
#include "engine/guess/turn_evidence.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace engine
{

namespace
{

// How given angles explain the motion of the centre, whose axis may drift, and of the width.
class MotionFit
{
  public:
    MotionFit(const OrderMoments& moments, const AngleOf& angles)
    {
        const Harmonics harmonics(moments.series[0], angles, 2);
        for (const int order : {1, 2}) {
            const HarmonicFit& fit =
                m_fits.emplace_back(moments.series[static_cast<std::size_t>(order - 1)], order, harmonics, true);
            const double least = errorOfBins(order, moments.width);
            m_unlikely += std::log(fit.squares() + least * least * static_cast<double>(fit.residual.size()));
        }
    }

    bool isLikelierThan(const MotionFit& other) const { return m_unlikely < other.m_unlikely; }
    bool leavesNoise() const // alone
    {
        constexpr double leastLikeness = 0.25; // of neighbours
        return std::ranges::all_of(
            m_fits, [](const HarmonicFit& fit) { return neighbourLikeness(fit.residual) < leastLikeness; });
    }
    bool explainsAll(const OrderMoments& moments) const
    {
        return explainsMotion(m_fits[0], motionOf(moments, 1)) && explainsMotion(m_fits[1], motionOf(moments, 2));
    }
    // Returns the share that this one leaves of what the other leaves: of the centre or the width, the lower one.
    double shareOf(const MotionFit& other) const
    {
        return std::min(m_fits[0].squares() / other.m_fits[0].squares(),
                        m_fits[1].squares() / other.m_fits[1].squares());
    }
    // Returns by how many variances of the other fit this one leaves more.
    double over(const MotionFit& other, const OrderMoments& moments) const
    {
        double sum = 0;
        for (const int order : {1, 2}) {
            const HarmonicFit& its = other.m_fits[static_cast<std::size_t>(order - 1)];
            sum += (m_fits[static_cast<std::size_t>(order - 1)].squares() - its.squares()) /
                   varianceOfFit(its, errorOfBins(order, moments.width));
        }
        return sum;
    }

  private:
    std::vector<HarmonicFit> m_fits; // of the orders 1 and 2
    double m_unlikely = 0;           // logarithm
};

} // namespace

std::optional<MissingViews> missingViews(const TurnLines& lines)
{
    constexpr double leastGain = 45, overSmooth = 3, mostLeft = 0.65, coarseGain = 10, mostShare = 0.2;
    constexpr std::size_t fewest = 24, places = 16;
    const OrderMoments moments = measureMoments(lines);
    const std::size_t count = moments.series[0].at.size();
    if (count < fewest || count < lines.which.size() || !(moments.width > 0))
        return {};
    const double first = lines.givenRad.front(), arc = lines.givenRad.back() - first;
    if (!moments.isUsable || moments.isStill || arc == 0)
        return {};
    const AngleOf given = anglesAsGiven(lines);
    const MotionFit before(moments, given);
    if (before.leavesNoise())
        return {};
    struct Gap {
        std::size_t place;
        double share; // of the arc
        MotionFit fit;
    };
    std::optional<Gap> best;
    const auto consider = [&](std::size_t place, double share) {
        if (place < count / places / 2 || place + count / places / 2 >= count || share > mostShare ||
            (best && best->place == place && best->share == share))
            return;
        for (const bool isStretched : {true, false}) { // the last angle is right, or the step is
            const auto angles = [&](double at) {
                const double angle = (given(at) - first) * (isStretched ? 1 - share : 1);
                return at > lines.which[place] ? angle + share * arc : angle;
            };
            MotionFit fit(moments, angles);
            if (!best || fit.isLikelierThan(best->fit))
                best = {place, share, std::move(fit)};
        }
    };
    for (std::size_t k = 1; k < places; ++k)
        for (const double share : {0.01, 0.04, 0.12})
            consider(k * count / places, share);
    if (!best || before.over(best->fit, moments) < coarseGain)
        return {};
    for (std::size_t step = std::max<std::size_t>(1, count / places / 2); step > 0; step /= 2) {
        const auto [at, share] = std::pair(best->place, best->share);
        for (const std::size_t place : {at - step, at, at + step})
            for (const double by : {0.7, 0.85, 1.0, 1.2, 1.4})
                consider(place, share * by);
    }
    MotionFit smooth = before;
    for (const double bend : {-0.4, -0.3, -0.2, -0.1, -0.05, 0.05, 0.1, 0.2, 0.3, 0.4}) {
        MotionFit bent(moments, [&](double at) {
            const double share = (given(at) - first) / arc;
            return first + arc * share * (1 + bend * (1 - share));
        });
        if (bent.isLikelierThan(smooth))
            smooth = std::move(bent);
    }
    const MotionFit& with = best->fit;
    const double gain = before.over(with, moments);
    if (!with.explainsAll(moments) || gain < leastGain || gain < overSmooth * (gain - smooth.over(with, moments)) ||
        with.shareOf(before) > mostLeft)
        return {};
    return MissingViews{lines.which[best->place], std::abs(best->share * arc)};
}

} // namespace engine
