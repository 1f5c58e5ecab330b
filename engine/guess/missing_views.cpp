// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/line_moments.h"
#include "engine/guess/turn_evidence.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace engine
{

namespace
{

// How given angles explain the motion of the centre, whose axis may drift, and of the width.
struct MotionFit {
    std::array<double, 2> squares{}, variance{};
    double unlikely = 0; // logarithm; the least fits best
    double likeness = 0; // of neighbours, of what is left
    bool explainsAll = true;

    // Returns by how many variances of the other fit this one leaves more.
    double over(const MotionFit& other) const
    {
        double sum = 0;
        for (std::size_t k = 0; k < 2; ++k)
            sum += (squares[k] - other.squares[k]) / other.variance[k];
        return sum;
    }
};

class MotionFits
{
  public:
    explicit MotionFits(const OrderMoments& moments) : m_moments(moments) {}

    MotionFit of(const AngleOf& angles) const
    {
        const Harmonics harmonics(m_moments.series[0], angles, 2);
        MotionFit made;
        for (const int order : {1, 2}) {
            const MomentSeries& series = m_moments.series[static_cast<std::size_t>(order - 1)];
            const HarmonicFit fit(series, order, harmonics, true);
            const double least = errorOfBins(order, m_moments.width);
            made.squares[order - 1] = fit.squares();
            made.variance[order - 1] = varianceOfFit(fit, least);
            made.explainsAll &= explainsMotion(fit, motionOf(m_moments, order));
            made.likeness = std::max(made.likeness, neighbourLikeness(fit.residual));
            made.unlikely += std::log(fit.squares() + least * least * static_cast<double>(series.values.size()));
        }
        return made;
    }

  private:
    const OrderMoments& m_moments;
};

} // namespace

std::optional<MissingViews> missingViews(const TurnLines& lines)
{
    constexpr double leastGain = 45, overSmooth = 3, mostLeft = 0.65, coarseGain = 10, leastLikeness = 0.25,
                     mostShare = 0.2;
    constexpr std::size_t fewest = 24, places = 16;
    const OrderMoments moments = measureMoments(lines);
    const std::size_t count = moments.series[0].at.size();
    if (count < fewest || count < lines.which.size() || !(moments.width > 0))
        return {};
    const double first = lines.givenRad.front(), arc = lines.givenRad.back() - first;
    if (!moments.isUsable || moments.isStill || arc == 0)
        return {};
    const AngleOf given = anglesAsGiven(lines);
    const MotionFits fits(moments);
    const MotionFit before = fits.of(given);
    if (before.likeness < leastLikeness) // noise
        return {};
    struct Gap {
        std::size_t place;
        double share; // of the arc
        bool isStretched;
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
            const MotionFit fit = fits.of(angles);
            if (!best || fit.unlikely < best->fit.unlikely)
                best = {place, share, isStretched, fit};
        }
    };
    for (std::size_t k = 1; k < places; ++k)
        for (const double share : {0.01, 0.04, 0.12})
            consider(k * count / places, share);
    if (!best || before.over(best->fit) < coarseGain)
        return {};
    for (std::size_t step = std::max<std::size_t>(1, count / places / 2); step > 0; step /= 2) {
        const Gap at = *best;
        for (const std::size_t place : {at.place - step, at.place, at.place + step})
            for (const double by : {0.7, 0.85, 1.0, 1.2, 1.4})
                consider(place, at.share * by);
    }
    MotionFit smooth = before;
    for (const double bend : {-0.4, -0.3, -0.2, -0.1, -0.05, 0.05, 0.1, 0.2, 0.3, 0.4}) {
        const MotionFit bent = fits.of([&](double at) {
            const double share = (given(at) - first) / arc;
            return first + arc * share * (1 + bend * (1 - share));
        });
        if (bent.unlikely < smooth.unlikely)
            smooth = bent;
    }
    const MotionFit& with = best->fit;
    const double gain = before.over(with),
                 left = std::min(with.squares[0] / before.squares[0], with.squares[1] / before.squares[1]);
    if (!with.explainsAll || gain < leastGain || gain < overSmooth * (gain - smooth.over(with)) || left > mostLeft)
        return {};
    return MissingViews{lines.which[best->place], std::abs(best->share * arc)};
}

} // namespace engine
