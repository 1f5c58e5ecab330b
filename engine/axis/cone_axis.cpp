// SPDX-License-Identifier: GPL-3.0-or-later
// The ray at source angle β and fan angle γ is measured again from the other side, at source angle β + π − 2γ and fan
// angle −γ. The fan angle is 0 at the bin c of the central ray, which is sought. A projection is therefore compared
// with a line that is gathered from many other projections: bin c + b of the projection at β is compared with bin c − b
// of the projection at β + π − 2γ(b). Both are equal if c is right. The projections are first interpolated to equal
// steps, so that all lines can be gathered in the same way.
#include "engine/axis/cone_axis.h"

#include "engine/axis/opposite_views.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

namespace engine
{

namespace
{

using std::numbers::pi;

constexpr int mostViews = 64;      // number of views compared: enough to average noise, few enough to be quick
constexpr int coarseFanBins = 256; // maximum number of bins in the search over the whole detector
constexpr double fanBlurBins = 1;  // standard deviation of the blur of the fine search

// One row of the detector at angles in equal steps along an arc or around the circle.
struct Fan {
    std::vector<BinLine> lines; // empty if no projection is near
    double stepRad = 0;
    bool isCircle = false;
    double lengthBins = 0; // source to detector
    int bins = 0;

    int count() const { return static_cast<int>(lines.size()); }
    double gamma(double binsAside) const { return std::atan(binsAside / lengthBins); }
    const BinLine* at(int index) const
    {
        if (isCircle)
            index = (index % count() + count()) % count();
        return index >= 0 && index < count() && !lines[index].empty() ? &lines[index] : nullptr;
    }
};

// Interpolates between the neighbouring projections; empty in a gap of the scan or if a value is not finite.
BinLine lineAt(const Sinograms& row, const Arc& arc, double angleRad, const BinLine& stripes)
{
    const auto after = std::lower_bound(arc.anglesRad.begin(), arc.anglesRad.end(), angleRad);
    const std::size_t count = arc.anglesRad.size(), j = (after - arc.anglesRad.begin()) % count;
    const std::size_t i = (j + count - 1) % count;
    const double gap = arc.anglesRad[j] - arc.anglesRad[i] + (j == 0 ? 2 * pi : 0);
    const double from = angleRad - arc.anglesRad[i] + (angleRad < arc.anglesRad[i] ? 2 * pi : 0);
    const double weight = gap > 0 ? std::clamp(from / gap, 0.0, 1.0) : 1;
    if (gap > 3 * arc.step && std::min(weight, 1 - weight) * gap > arc.step / 100)
        return {};
    const float* before = row.values.data() + static_cast<std::size_t>(arc.order[i]) * row.bins;
    const float* behind = row.values.data() + static_cast<std::size_t>(arc.order[j]) * row.bins;
    BinLine line(stripes.size());
    for (std::size_t bin = 0; bin < line.size(); ++bin)
        line[bin] = (1 - weight) * before[bin] + weight * behind[bin] - stripes[bin];
    if (!std::isfinite(std::accumulate(line.begin(), line.end(), 0.0)))
        return {};
    return line;
}

Fan fanOf(const Sinograms& row, const Arc& arc, double lengthBins)
{
    Fan fan;
    fan.bins = row.bins;
    fan.lengthBins = lengthBins;
    fan.isCircle = 2 * pi - arc.length() <= 3 * arc.step;
    const double steps = std::clamp((fan.isCircle ? 2 * pi : arc.length()) / arc.step, 1.0, 65536.0);
    const int whole = static_cast<int>(std::lround(steps));
    fan.stepRad = (fan.isCircle ? 2 * pi : arc.length()) / whole;
    BinLine stripes = stripesOf(row, 0);
    if (!std::isfinite(std::accumulate(stripes.begin(), stripes.end(), 0.0)))
        stripes.assign(stripes.size(), 0.0); // not finite because of projections that lineAt() leaves out
    for (int k = 0; k < whole + (fan.isCircle ? 0 : 1); ++k)
        fan.lines.push_back(lineAt(row, arc, arc.anglesRad.front() + k * fan.stepRad, stripes));
    return fan;
}

// Averages bins by `factor` and blurs the lines against noise.
Fan coarseFan(const Fan& fan, int factor)
{
    Fan coarse = fan;
    coarse.bins = fan.bins / factor;
    coarse.lengthBins = fan.lengthBins / factor;
    for (BinLine& line : coarse.lines) {
        if (line.empty())
            continue;
        BinLine mean(coarse.bins);
        for (int i = 0; i < coarse.bins * factor; ++i)
            mean[i / factor] += line[i] / factor;
        line = blurred(mean, std::max(1.0, coarse.bins / 128.0));
    }
    return coarse;
}

// Chooses evenly spaced projections whose rays are measured again from the other side by later projections. On an arc,
// only the projections at its beginning have such rays.
std::vector<int> comparedViews(const Fan& fan)
{
    int available = fan.count();
    if (!fan.isCircle) {
        const double arcRad = (fan.count() - 1) * fan.stepRad, widest = fan.gamma((fan.bins - 1) / 2.0);
        available = std::clamp(static_cast<int>((arcRad - pi + 2 * widest) / fan.stepRad) + 1, 0, fan.count());
    }
    std::vector<int> views;
    const int chosen = std::min(available, mostViews);
    for (int k = 0; k < chosen; ++k)
        if (const int view = static_cast<int>(static_cast<long long>(k) * available / chosen); fan.at(view))
            views.push_back(view);
    return views;
}

// Where the rays of a view were measured from the other side, for a central ray at `axis`: the same for all views.
struct OppositeRays {
    struct Ray {
        int views = 0, bin = 0;             // views later, and the bin there
        double viewShare = 0, binShare = 0; // of the next view and bin
    };
    int first = 0; // bin of the first ray
    std::vector<Ray> rays;

    OppositeRays(const Fan& fan, double axis, double margin)
    {
        const double end = fan.bins - 1 - margin;
        first = static_cast<int>(std::ceil(std::max(margin, 2 * axis - end)));
        const int last = static_cast<int>(std::floor(std::min(end, 2 * axis - margin)));
        for (int bin = first; bin <= last; ++bin) {
            const double views = (pi - 2 * fan.gamma(bin - axis)) / fan.stepRad, whole = std::floor(views);
            const double there = 2 * axis - bin;
            const int below = std::clamp(static_cast<int>(there), 0, fan.bins - 2);
            rays.push_back({static_cast<int>(whole), below, views - whole, there - below});
        }
    }
};

// Calls see(here, opposite, isNext) for every ray of a view that was also measured from the other side. isNext: the
// previous bin was seen as well.
template <typename See>
void compareView(const Fan& fan, int view, const OppositeRays& opposite, const See& see)
{
    const BinLine& here = *fan.at(view);
    int before = -2;
    for (int k = 0; k < static_cast<int>(opposite.rays.size()); ++k) {
        const OppositeRays::Ray& ray = opposite.rays[k];
        const BinLine* one = fan.at(view + ray.views);
        const BinLine* other = ray.viewShare > 0 ? fan.at(view + ray.views + 1) : one;
        if (!one || !other)
            continue;
        const auto value = [&](const BinLine& line) {
            return line[ray.bin] + ray.binShare * (line[ray.bin + 1] - line[ray.bin]);
        };
        see(here[opposite.first + k], (1 - ray.viewShare) * value(*one) + ray.viewShare * value(*other),
            before == k - 1);
        before = k;
    }
}

// Correlates the slopes of both lines for every position of the central ray, in steps of half a bin, about which at
// least a tenth of the detector overlaps its mirror image. Small overlaps count less. Positions towards the detector's
// ends count less, too, by up to a quarter (as in axis.cpp).
double coarseConeAxis(const Fan& fan, const std::stop_token& stop)
{
    struct Match {
        double sum = 0, here = 0, opposite = 0;
        double energy() const { return std::sqrt(here * opposite); }
    };
    const int factor = (fan.bins + coarseFanBins - 1) / coarseFanBins;
    const Fan coarse = coarseFan(fan, factor);
    const std::vector<int> views = comparedViews(coarse);
    std::vector<Match> matches(2 * coarse.bins - 1);
    double most = 0;
    for (int doubled = coarse.bins / 10; doubled <= 2 * (coarse.bins - 1) - coarse.bins / 10; ++doubled) {
        throwIfStopped(stop);
        Match& match = matches[doubled];
        const OppositeRays rays(coarse, doubled / 2.0, 0);
        for (const int view : views) {
            double a = 0, b = 0;
            compareView(coarse, view, rays, [&](double here, double opposite, bool isNext) {
                if (isNext) {
                    match.sum += (here - a) * (opposite - b);
                    match.here += (here - a) * (here - a);
                    match.opposite += (opposite - b) * (opposite - b);
                }
                a = here;
                b = opposite;
            });
        }
        most = std::max(most, match.energy());
    }
    double best = 0, axis = (fan.bins - 1) / 2.0;
    for (int doubled = 0; doubled < static_cast<int>(matches.size()); ++doubled) {
        const Match& match = matches[doubled];
        const double aside = std::abs(doubled / static_cast<double>(coarse.bins - 1) - 1);
        const double score = (1 - .25 * aside) * match.sum / std::max(match.energy(), .15 * most);
        if (score > best) {
            best = score;
            axis = doubled / 2.0 * factor + (factor - 1) / 2.0;
        }
    }
    return axis;
}

double fanMismatch(const Fan& fan, const std::vector<int>& views, double axis)
{
    double sum = 0;
    int compared = 0;
    const OppositeRays rays(fan, axis, 2 * fanBlurBins + 1);
    for (const int view : views)
        compareView(fan, view, rays, [&](double here, double opposite, bool) {
            sum += (here - opposite) * (here - opposite);
            ++compared;
        });
    return compared > 2 ? sum / compared : std::numeric_limits<double>::infinity();
}

std::string inDegreesText(double rad)
{
    return numberToText(std::round(rad * 180 / pi * 10) / 10) + "°";
}

double widestOf(const ConeBeam& beam)
{
    return std::atan((beam.bins - 1) / 2.0 * beam.pixelUMm / beam.sourceDetectorMm);
}

// Returns whether the beam is practically parallel, so that half a turn suffices.
bool isNarrow(const ConeBeam& beam, const Arc& arc)
{
    return 2 * widestOf(beam) < arc.step;
}

} // namespace

std::optional<std::string> whyNoConeAxis(const ConeBeam& beam)
{
    if (beam.projections() < 3 || beam.bins < 16)
        return "from " + std::to_string(beam.projections()) + " projections of " + std::to_string(beam.bins) + " bins";
    if (!std::ranges::all_of(beam.anglesRad, [](double angle) { return std::isfinite(angle); }))
        return std::nullopt;
    const Arc arc = arcOf(beam.anglesRad);
    if (isNarrow(beam, arc))
        return whyNoAxis(beam.anglesRad);
    const double widest = widestOf(beam), needed = pi + widest;
    if (2 * pi - arc.length() <= 3 * arc.step || arc.length() + arc.step / 100 >= needed)
        return std::nullopt;
    return "from projections over " + inDegreesText(arc.length()) + ", as at least " + inDegreesText(needed) +
           " are needed to measure enough rays of this fan of ±" + inDegreesText(widest) + " from both sides";
}

AxisFound findConeAxis(const Sinograms& row, const ConeBeam& beam, int threads, const std::stop_token& stop)
{
    require(beam.isCircle(),
            "The rotation axis can't be found for projection matrices, which define it: use the axis of the scan.");
    require(row.slices >= 1 && row.projections == beam.projections() && row.bins == beam.bins &&
                row.values.size() >= static_cast<std::size_t>(row.projections) * row.bins,
            "The rotation axis can't be found: the row doesn't fit the geometry.");
    if (const auto why = whyNoConeAxis(beam))
        throw Error(ErrorKind::badRequest, noAxisText(*why));
    require(std::ranges::all_of(beam.anglesRad, [](double angle) { return std::isfinite(angle); }),
            "The rotation axis can't be found: an angle is not a number.");
    throwIfStopped(stop);
    const Arc arc = arcOf(beam.anglesRad);
    const double lengthBins = beam.sourceDetectorMm / beam.pixelUMm;
    if (isNarrow(beam, arc))
        return searchAxis(row, beam.anglesRad, threads, stop);
    Fan fan = fanOf(row, arc, lengthBins);
    const double coarse = coarseConeAxis(fan, stop);
    for (BinLine& line : fan.lines)
        if (!line.empty())
            line = blurred(line, fanBlurBins);
    const std::vector<int> views = comparedViews(fan);
    const double step = std::max(1.0, beam.bins / static_cast<double>(coarseFanBins));
    const double found = leastNear([&](double axis) { return fanMismatch(fan, views, axis); }, coarse, step, stop);
    return {std::clamp(found, 0.0, beam.bins - 1.0), "opposite rays alone"};
}

} // namespace engine
