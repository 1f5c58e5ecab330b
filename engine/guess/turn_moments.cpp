// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/turn_evidence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace engine
{

namespace
{

using std::numbers::pi;

constexpr int orders = 4;
constexpr double steadyMass = 0.05;  // relative standard deviation of the projections' mass
constexpr double muchShare = 0.002;  // large share of the centre's motion left by even steps: 0.0013 in a real scan
constexpr double someShare = 0.0003; // smaller shares may come from positions between bins
constexpr double unfitShare = 0.03;  // share left by wrong angles
constexpr double leastMotion = 0.02; // minimum motion of the centre or width, as a share of the width: more than noise

struct Series {
    std::vector<double> at;     // indices of projections
    std::vector<double> values; // one moment of each projection
};

// Returns the range of bins that the object reaches in any projection, with a little air beside it; more air would
// only add noise.
std::pair<int, int> supportOf(const TurnLines& lines)
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

double standardDeviation(const std::vector<double>& values)
{
    double mean = 0, sum = 0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    for (const double value : values)
        sum += (value - mean) * (value - mean);
    return std::sqrt(sum / static_cast<double>(values.size()));
}

// Angle in rad of projection number n.
using AngleOf = std::function<double(double)>;

AngleOf evenly(double stepRad)
{
    return [stepRad](double at) { return stepRad * at; };
}

AngleOf asGiven(const TurnLines& lines)
{
    return [&lines](double at) {
        const auto place = std::ranges::lower_bound(lines.which, static_cast<int>(at)) - lines.which.begin();
        return lines.givenRad[static_cast<std::size_t>(place)];
    };
}

AngleOf by(const AngleSteps& steps)
{
    return [steps](double at) {
        const double angle = steps.firstRad + steps.stepRad * at;
        return steps.wrapRad > 0 ? angle - steps.wrapRad * std::floor(angle / steps.wrapRad) : angle;
    };
}

// Cosine and sine of every multiple of the projections' angles, up to the given one.
struct Harmonics {
    std::array<std::vector<double>, orders + 1> cosines, sines;

    Harmonics(const Series& series, const AngleOf& angleOf, int most)
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
};

// Least-squares fit of a series by the harmonics of one order, for given angles of the projections.
class HarmonicFit
{
  public:
    HarmonicFit(const Series& series, int order, const AngleOf& angleOf)
        : HarmonicFit(series, order, Harmonics(series, angleOf, order))
    {
    }
    HarmonicFit(const Series& series, int order, const Harmonics& harmonics, bool axisDrifts = false)
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
            const double before = dot(basis[i], basis[i]);
            for (int pass = 0; pass < 2; ++pass)
                for (std::size_t j = 0; j < i; ++j)
                    subtract(basis[i], basis[j]);
            const double norm = dot(basis[i], basis[i]);
            if (norm < 1e-9 * before || !(norm > 0)) {
                std::ranges::fill(basis[i], 0.0);
                continue;
            }
            for (double& value : basis[i])
                value /= std::sqrt(norm);
            subtract(residual, basis[i]);
        }
    }

    std::vector<double> residual;
    double squares() const { return dot(residual, residual); }

  private:
    static double dot(const std::vector<double>& a, const std::vector<double>& b)
    {
        double sum = 0;
        for (std::size_t k = 0; k < a.size(); ++k)
            sum += a[k] * b[k];
        return sum;
    }
    static void subtract(std::vector<double>& from, const std::vector<double>& unit)
    {
        const double part = dot(from, unit);
        for (std::size_t k = 0; k < from.size(); ++k)
            from[k] -= part * unit[k];
    }
};

// Moments of each order, and the mass of each projection.
struct OrderMoments {
    std::array<Series, orders> series;
    std::vector<double> mass;
    double width = 0;   // mean width of a projection, as a standard deviation
    bool isCut = false; // the object reaches an end of the detector
};

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

OrderMoments measure(const TurnLines& lines)
{
    OrderMoments made;
    const auto [first, end] = supportOf(lines);
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
        std::array<double, orders> moment{centre};
        for (int bin = first; bin < end; ++bin) {
            double power = (bin - centre) * line[bin] / mass;
            for (std::size_t order = 1; order < orders; ++order)
                moment[order] += power *= bin - centre;
        }
        for (std::size_t order = 0; order < orders; ++order) {
            made.series[order].at.push_back(lines.which[k]);
            made.series[order].values.push_back(moment[order]);
        }
        made.width += std::sqrt(std::max(0.0, moment[1])) / static_cast<double>(lines.which.size());
    }
    return made;
}

// Returns the correlation of neighbours: 0 for noise, 1 for slow changes.
double likenessOf(const std::vector<double>& values)
{
    double squares = 0, together = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        squares += values[k] * values[k];
        if (k > 0)
            together += values[k] * values[k - 1];
    }
    return squares > 0 ? together / squares : 0;
}

// Returns the variance of a moment due to noise, estimated from second differences between bins; edges of the object
// increase it.
double noiseOf(const TurnLines& lines, const OrderMoments& moments, int order)
{
    const auto [first, end] = supportOf(lines);
    double squares = 0, mass = 0;
    for (std::size_t k = 0; k < lines.which.size(); ++k) {
        const float* line = lines.values.data() + k * static_cast<std::size_t>(lines.bins);
        for (int bin = first + 1; bin + 1 < end; ++bin) {
            const double bend = line[bin - 1] - 2.0 * line[bin] + line[bin + 1];
            squares += bend * bend / 6;
        }
        mass += moments.mass[k] / static_cast<double>(lines.which.size());
    }
    const double width = end - first, variance = squares / (width * static_cast<double>(lines.which.size()));
    const double sum = order == 1 ? std::pow(width, 3) / 12 : std::pow(width, 5) / 180;
    return variance * sum / (mass * mass);
}

// Returns whether an even step leaves more of the centre's motion than noise: a large share of it, or a share of which
// growing or shrinking steps explain more than a third.
bool leavesMotion(const Series& series, double stepRad, double span, double motion)
{
    const HarmonicFit even(series, 1, evenly(stepRad));
    const double share = even.squares() / motion;
    if (share < someShare || likenessOf(even.residual) < 0.6)
        return false;
    double least = even.squares();
    for (const double bend : {-0.4, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 0.4}) {
        const auto bent = [&](double at) { return stepRad * (at + bend * at * (1 - at / span)); };
        least = std::min(least, HarmonicFit(series, 1, bent).squares());
    }
    return share > muchShare || least < 0.65 * even.squares();
}

// Positions between bins cause errors of some thousandths.
double errorOfBins(int order, double width)
{
    return order == 1 ? 0.003 : 0.003 * order * std::pow(width, order - 1);
}

// Returns the variance of one value of a series, from the residual of the best fit; correlated values count as one.
double varianceOf(const HarmonicFit& fit, double least)
{
    const std::vector<double>& left = fit.residual;
    const auto count = static_cast<double>(left.size());
    const double likeness = std::clamp(likenessOf(left), 0.0, 0.95);
    return (fit.squares() / std::max(1.0, count - 5) + least * least) * (1 + likeness) / (1 - likeness);
}

// Candidate angles to which the moments are compared: even steps, golden steps, and the given angles.
struct Candidates {
    std::vector<double> steps; // arcs from 60° to 4 turns, in equal steps of the arc; then turnHypotheses
    std::vector<AngleOf> angles;

    explicit Candidates(const TurnLines& lines)
    {
        const double span = std::max(1, lines.projections - 1);
        for (double arc = pi / 3; arc < 8 * pi; arc += pi / 180)
            steps.push_back(arc / span);
        for (const TurnHypothesis& each : turnHypotheses)
            steps.push_back(each.stepRad(lines.projections));
        for (const double step : steps)
            angles.push_back(evenly(step));
        for (const AngleSteps& each : goldenSteps())
            angles.push_back(by(each));
        if (!lines.givenRad.empty())
            angles.push_back(asGiven(lines));
    }
};

// Misfits of the candidates, in units of the noise of the moments.
struct Misfits {
    std::vector<double> values;
    bool movesEvenly = false, movesUnevenly = false; // whether the centre or the width does
    std::vector<std::pair<int, double>> moving;      // orders of these, and their sums of squares
};

Misfits misfitsOf(const OrderMoments& moments, const Candidates& candidates)
{
    Misfits made;
    made.values.resize(candidates.angles.size());
    std::array<std::vector<double>, orders> left; // sums of squares per order and candidate
    for (const AngleOf& candidate : candidates.angles) {
        const Harmonics harmonics(moments.series[0], candidate, orders); // all series have the same projections
        for (int order = 1; order <= orders; ++order)
            left[order - 1].push_back(HarmonicFit(moments.series[order - 1], order, harmonics).squares());
    }
    for (int order = 1; order <= orders; ++order) {
        const Series& series = moments.series[static_cast<std::size_t>(order - 1)];
        const std::vector<double>& squares = left[order - 1];
        const std::size_t best = static_cast<std::size_t>(std::ranges::min_element(squares) - squares.begin());
        const double variance =
            varianceOf(HarmonicFit(series, order, candidates.angles[best]), errorOfBins(order, moments.width));
        for (std::size_t k = 0; k < made.values.size(); ++k)
            made.values[k] += squares[k] / variance;
        const double spread = standardDeviation(series.values);
        if (order <= 2 && spread > leastMotion * std::pow(moments.width, order)) {
            const double motion = spread * spread * static_cast<double>(series.values.size());
            made.moving.push_back({order, motion});
            (squares[best] > 0.5 * motion ? made.movesUnevenly : made.movesEvenly) = true;
        }
    }
    return made;
}

std::size_t leastOf(std::span<const double> values)
{
    return static_cast<std::size_t>(std::ranges::min_element(values) - values.begin());
}

// Returns whether the fit leaves hardly more than noise of a series that moves; motion: its sum of squares.
bool explains(const HarmonicFit& fit, double motion)
{
    constexpr double leftBySteady = 0.002; // share of the motion
    return fit.squares() <= unfitShare * motion &&
           (fit.squares() <= leftBySteady * motion || likenessOf(fit.residual) <= 0.6);
}

// Returns the sum of squares of a moment that moves more than noise; else infinity, which anything explains.
double motionOf(const OrderMoments& moments, int order)
{
    const Series& series = moments.series[static_cast<std::size_t>(order - 1)];
    const double spread = standardDeviation(series.values);
    return spread < leastMotion * std::pow(moments.width, order)
               ? std::numeric_limits<double>::infinity()
               : spread * spread * static_cast<double>(series.values.size());
}

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
            const Series& series = m_moments.series[static_cast<std::size_t>(order - 1)];
            const HarmonicFit fit(series, order, harmonics, true);
            const double least = errorOfBins(order, m_moments.width);
            made.squares[order - 1] = fit.squares();
            made.variance[order - 1] = varianceOf(fit, least);
            made.explainsAll &= explains(fit, motionOf(m_moments, order));
            made.likeness = std::max(made.likeness, likenessOf(fit.residual));
            made.unlikely += std::log(fit.squares() + least * least * static_cast<double>(series.values.size()));
        }
        return made;
    }

  private:
    const OrderMoments& m_moments;
};

// Determines whether the moments are usable, and whether they change at all.
void judge(const OrderMoments& moments, TurnMoments& made)
{
    const std::size_t count = moments.series[0].at.size();
    double mass = 0;
    for (const double each : moments.mass)
        mass += each / static_cast<double>(count);
    made.isUsable = !moments.isCut && mass > 0 && standardDeviation(moments.mass) < steadyMass * mass;
    made.isStill = made.isUsable;
    for (int order = 1; order <= orders; ++order)
        made.isStill &= standardDeviation(moments.series[static_cast<std::size_t>(order - 1)].values) <
                        1e-6 * std::pow(moments.width, order);
}

} // namespace

std::span<const AngleSteps> goldenSteps()
{
    // Rounded as they are usually written: half a turn divided by the golden ratio, the rest of half a turn, and a
    // full turn divided by the square of the golden ratio.
    static constexpr double half = 111.246118 * pi / 180, rest = 68.753882 * pi / 180, full = 137.507764 * pi / 180;
    static constexpr std::array steps = {AngleSteps{0, half}, AngleSteps{0, rest}, AngleSteps{0, full},
                                         AngleSteps{0, half, pi}, AngleSteps{0, full, pi}};
    return steps;
}

double TurnHypothesis::stepRad(int projections) const
{
    return halfTurns * pi / std::max(1, endExcluded ? projections : projections - 1);
}

AngleSpread TurnHypothesis::spread() const
{
    return {0, halfTurns * pi, endExcluded};
}

bool contradictsGiven(const TurnLines& lines)
{
    constexpr double manyNoises = 10; // variances
    constexpr std::size_t fewest = 12;
    const OrderMoments moments = measure(lines);
    const std::size_t count = moments.series[0].at.size();
    TurnMoments made;
    if (count < fewest || count < lines.which.size() || !(moments.width > 0))
        return false;
    judge(moments, made);
    bool widthMoves = false;
    for (int order = 1; made.isUsable && order <= 2; ++order) {
        const Series& series = moments.series[static_cast<std::size_t>(order - 1)];
        const double spread = standardDeviation(series.values);
        if (spread < leastMotion * std::pow(moments.width, order))
            continue;
        const HarmonicFit fit(series, order, asGiven(lines));
        const double noise = noiseOf(lines, moments, order);
        const bool isStructured = likenessOf(fit.residual) > 0.6 || fit.squares() > manyNoises * noise * count;
        if (fit.squares() < unfitShare * spread * spread * static_cast<double>(count) || !isStructured)
            return false;
        widthMoves = order == 2;
    }
    return widthMoves;
}

bool fitsGiven(const TurnLines& lines)
{
    const OrderMoments moments = measure(lines);
    const std::size_t count = moments.series[0].at.size();
    TurnMoments made;
    if (count < 12 || count < lines.which.size() || !(moments.width > 0))
        return true;
    judge(moments, made);
    for (int order = 1; made.isUsable && order <= 2; ++order) {
        const Series& series = moments.series[static_cast<std::size_t>(order - 1)];
        if (!explains({series, order, asGiven(lines)}, motionOf(moments, order)))
            return false;
    }
    return true;
}

std::optional<MissingViews> missingViews(const TurnLines& lines)
{
    constexpr double leastGain = 45, overSmooth = 3, mostLeft = 0.65, coarseGain = 10, leastLikeness = 0.25,
                     mostShare = 0.2;
    constexpr std::size_t fewest = 24, places = 16;
    const OrderMoments moments = measure(lines);
    const std::size_t count = moments.series[0].at.size();
    TurnMoments made;
    if (count < fewest || count < lines.which.size() || !(moments.width > 0))
        return {};
    judge(moments, made);
    const double first = lines.givenRad.front(), arc = lines.givenRad.back() - first;
    if (!made.isUsable || made.isStill || arc == 0)
        return {};
    const AngleOf given = asGiven(lines);
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

TurnMoments momentsOf(const TurnLines& lines)
{
    TurnMoments made;
    const OrderMoments moments = measure(lines);
    made.isCut = moments.isCut;
    const std::size_t count = moments.series[0].at.size();
    if (count < 12 || count < lines.which.size() || !(moments.width > 0))
        return made;
    judge(moments, made);
    if (!made.isUsable)
        return made;

    const Candidates candidates(lines);
    const std::vector<double>& steps = candidates.steps;
    const Misfits misfits = misfitsOf(moments, candidates);
    const auto evens = std::span(misfits.values).first(steps.size()),
               goldens = std::span(misfits.values).subspan(steps.size(), goldenSteps().size()),
               usual = evens.last(turnHypotheses.size());
    const std::size_t best = leastOf(evens), golden = leastOf(goldens);
    const std::size_t firstUsual = steps.size() - turnHypotheses.size(), likeliest = firstUsual + leastOf(usual);
    if (goldens[golden] < evens[best]) {
        made.golden = goldenSteps()[golden];
        made.evenMisfit = evens[best] - goldens[golden];
    }
    if (!lines.givenRad.empty())
        made.givenMisfit = misfits.values.back() - evens[best];
    for (const auto& [order, motion] : misfits.moving) {
        const Series& series = moments.series[static_cast<std::size_t>(order - 1)];
        const auto left = [&, order = order, motion = motion](std::size_t candidate) {
            return HarmonicFit(series, order, candidates.angles[candidate]).squares() / motion;
        };
        if (order == 1) // not for the width: if the beam hardens, even the right step doesn't explain it exactly
            made.isInexact = leavesMotion(series, steps[likeliest], std::max(1, lines.projections - 1), motion);
        if (order == 1 && !lines.givenRad.empty()) {
            const HarmonicFit given(series, order, candidates.angles.back());
            made.givenLeaveMotion = given.squares() > unfitShare * motion && likenessOf(given.residual) > 0.6;
        }
        made.evenLeft = std::max(made.evenLeft, left(best));
        made.goldenLeft = std::max(made.goldenLeft, left(steps.size() + golden));
    }
    made.stepRad = steps[best];
    made.isUneven = misfits.movesUnevenly && !misfits.movesEvenly;
    for (const double misfit : evens.first(firstUsual)) // one per degree
        made.rangeDeg += misfit - evens[best] < 9 ? 1 : 0;
    for (std::size_t k = 0; k < turnHypotheses.size(); ++k)
        made.misfit[k] = usual[k] - evens[best];
    return made;
}

} // namespace engine
