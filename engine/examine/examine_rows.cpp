// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/examine/examine_rows.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/guess/frame_contents.h"
#include "engine/guess/line_integrals.h"
#include "engine/guess/turn_evidence.h"
#include "engine/scan/empty_projections.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <type_traits>
#include <utility>

namespace engine
{

namespace
{

constexpr int fewest = 12; // projections, for any test

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
};

std::vector<int> spreadOver(int all, int most)
{
    std::vector<int> numbers;
    for (int k = 0; k < std::min(all, most); ++k)
        numbers.push_back(static_cast<int>(static_cast<long long>(k) * all / std::min(all, most)));
    return numbers;
}

// Tells darks and flats among projections without either, if the angles hide them: assumed and given angles are
// tested when the scan is opened.
std::optional<Doubt> sidesAmong(const ExaminedRow& row)
{
    const Scan& scan = row.scan();
    if (!row.isCounts() || scan.darkFrames + scan.flatFrames > 0 || scan.offeredSides || !row.isWhole() ||
        scan.axesLookExchanged())
        return {};
    const std::vector<int> all = spreadOver(row.raw().projections, row.raw().projections);
    const Values values = row.values(all);
    const std::size_t bins = row.bins();
    std::vector<LineFacts> facts(all.size());
    parallelFor(0, static_cast<int>(all.size()),
                [&](int k) { facts[k] = factsOf(std::span(values).subspan(k * bins, bins)); });
    const FrameGroups groups = groupsOf(facts, values);
    if (!groups.any)
        return {};
    std::vector<int> darks, flats;
    for (const int k : all)
        if (const FrameContent content = contentOf(facts[static_cast<std::size_t>(k)], groups);
            content != FrameContent::object)
            (content == FrameContent::nothing ? darks : flats).push_back(k);
    const SideFrames sides{rangesOf(darks), rangesOf(flats)};
    return Doubt{.about = Doubt::About::sides, .text = sidesText(sides), .frames = sides};
}

// Tests the angles that the scan's own files have.
std::optional<Doubt> unfitAngles(const ExaminedRow& row)
{
    constexpr int mostLines = 400, fewLines = 100;
    constexpr std::size_t fewBins = 256;
    const Scan& scan = row.scan();
    const auto* beam = std::get_if<ParallelBeam>(&scan.geometry);
    if (!beam || scan.anglesAssumed || scan.likelierTurn || scan.sources.angles.given || scan.axesLookExchanged() ||
        !beam->shiftBins.empty() || !row.isWhole())
        return {};
    const auto linesOf = [&](int most, std::size_t step) {
        const auto every = [step](const std::vector<double>& all) {
            std::vector<double> some;
            for (std::size_t bin = 0; bin < all.size(); bin += step)
                some.push_back(all[bin]);
            return some;
        };
        TurnLines lines{.projections = scan.projections(), .bins = 0, .which = {}, .values = {}};
        lines.bins = static_cast<int>((row.bins() + step - 1) / step);
        lines.which = spreadOver(lines.projections, most);
        lines.hasUnevenBeam = row.isCounts() && scan.flatFrames == 0;
        for (const int k : lines.which)
            lines.givenRad.push_back(beam->anglesRad[static_cast<std::size_t>(k)]);
        lines.values = integralsOf(row.values(lines.which, step), scan.quantity, every(row.darks()), every(row.flats()),
                                   static_cast<std::size_t>(lines.bins));
        return lines;
    };
    if (fitsGiven(linesOf(fewLines, std::max<std::size_t>(1, row.bins() / fewBins)))) // nearly always
        return {};
    const TurnLines lines = linesOf(mostLines, 1);
    if (fitsGiven(lines))
        return {};
    const std::optional<TurnGuess> likelier = turnAgainstGiven(lines);
    if (!likelier || likelier->isUneven || !likelier->isSure())
        return {};
    return Doubt{.about = Doubt::About::angles,
                 .text =
                     likelierText(*likelier) + " If so, give these angles" + aside(optionText(likelier->spread)) + ".",
                 .spread = likelier->spread};
}

// Unlikeness of opposite rays of a fan for a turn in one direction: 0 for equal ones, about 1 for unrelated ones. The
// ray at the angle γ beside the central one comes back, mirrored, half a turn minus 2γ later.
double unlikeOpposites(const ConeBeam& beam, const std::vector<float>& values, double axis, double direction)
{
    constexpr int mostViews = 64, mostBins = 128;
    const int views = beam.projections(), bins = beam.bins;
    const double turn = direction * (beam.anglesRad[1] > beam.anglesRad[0] ? 1 : -1) * views / (2 * std::numbers::pi);
    double apart = 0, both = 0;
    const int stepBins = std::max(1, bins / mostBins);
    for (const int view : spreadOver(views, mostViews))
        for (int bin = 0; bin < bins; bin += stepBins) {
            const double mirrored = 2 * axis - bin;
            if (mirrored < 0 || mirrored > bins - 1)
                continue;
            const double gamma = std::atan((bin - axis) * beam.pixelUMm / beam.sourceDetectorMm);
            const double at = std::fmod(view + turn * (std::numbers::pi - 2 * gamma) + 2.0 * views, views);
            const int k = static_cast<int>(at), i = std::min(static_cast<int>(mirrored), bins - 2);
            const auto line = [&](int number) {
                const float* numbers = values.data() + static_cast<std::size_t>(number % views) * bins + i;
                return numbers[0] + (mirrored - i) * (numbers[1] - numbers[0]);
            };
            const double there = line(k) + (at - k) * (line(k + 1) - line(k));
            const double here = values[static_cast<std::size_t>(view) * bins + bin];
            apart += (here - there) * (here - there);
            both += here * here + there * there;
        }
    return both > 0 ? apart / both : 0;
}

// Tests the direction of a full turn of a cone or fan by opposite rays of the central row. It can't be seen where the
// fan is narrower than a step.
std::optional<Doubt> otherDirection(const ExaminedRow& row)
{
    constexpr double clearly = 4, least = 0.001, widestRad = 0.03, mostOff = 0.08;
    constexpr int offsets = 16; // of the axis, to either side
    const Scan& scan = row.scan();
    const auto* beam = std::get_if<ConeBeam>(&scan.geometry);
    if (!beam || !beam->isCircle() || !row.isWhole() || beam->axisBins.size() > 1 || beam->bins < 2 ||
        std::abs(row.number() - beam->centralRow) * beam->pixelVMm > widestRad * beam->sourceDetectorMm)
        return {};
    const std::vector<double>& angles = beam->anglesRad;
    const int views = beam->projections();
    const double step = (angles.back() - angles.front()) / (views - 1);
    if (std::abs(std::abs(step) * views - 2 * std::numbers::pi) > 1.5 * std::abs(step) ||
        beam->bins * beam->pixelUMm / beam->sourceDetectorMm < 2 * std::abs(step))
        return {};
    for (int k = 0; k < views; ++k)
        if (std::abs(angles[k] - angles[0] - k * step) > 0.5 * std::abs(step))
            return {};
    const std::vector<float> values =
        integralsOf(row.values(spreadOver(views, views)), scan.quantity, row.darks(), row.flats(), row.bins());
    std::array<double, 2> unlike{1, 1}; // as the angles say, and the other way round
    parallelFor(0, 2, [&](int way) {
        for (int k = -offsets; k <= offsets; ++k) {
            const double middle = beam->axisBins.empty() ? beam->middleBins() : beam->axisBins.front();
            const double axis = middle + k * mostOff * beam->bins / offsets;
            unlike[way] = std::min(unlike[way], unlikeOpposites(*beam, values, axis, way == 0 ? 1 : -1));
        }
    });
    if (unlike[0] < least || unlike[0] < clearly * unlike[1])
        return {};
    const auto percent = [](double share) { return std::to_string(std::lround(100 * std::sqrt(share))) + " %"; };
    const std::string other = scan.anglesReversed ? "anticlockwise" : "clockwise";
    return Doubt{.about = Doubt::About::direction,
                 .text = "Opposite rays agree if the scan turned " + other + " (they differ by " + percent(unlike[1]) +
                         "), but not as it is read (" + percent(unlike[0]) +
                         "): the scan turned the other way, or its "
                         "columns are mirrored. The slices are wrong then; give the direction" +
                         hint("direction", other) + "."};
}

// Finds runs of projections with far less light than those before and after them. An object changes the light from
// one projection to the next by much less.
std::optional<Doubt> blockedViews(const ExaminedRow& row, const std::vector<int>& empty)
{
    constexpr double jump = 4;        // least change of the light at both ends of a run
    constexpr double mostShare = 0.4; // of the projections
    const int projections = row.raw().projections;
    if (row.scan().quantity == Quantity::attenuation || projections < fewest)
        return {};
    const std::vector<double> darks = row.isCounts() ? row.darks() : std::vector<double>();
    const std::size_t step = std::max<std::size_t>(1, row.bins() / 128);
    std::vector<double> light(static_cast<std::size_t>(projections)); // of some bins
    parallelFor(0, projections, [&](int k) {
        light[k] = row.visit(k, [&](const auto& numbers, std::size_t first) {
            double sum = 0;
            for (std::size_t bin = 0; bin < row.bins(); bin += step)
                if (const auto value = static_cast<double>(numbers[first + bin]); std::isfinite(value))
                    sum += value - (darks.empty() ? 0 : darks[bin]);
            return sum;
        });
    });
    std::vector<int> dim;
    for (int k = 1; k < projections; ++k) {
        const double before = light[k - 1];
        if (!(before > jump * std::max(light[k], 0.0)) ||
            std::ranges::binary_search(empty, k + row.raw().firstProjection))
            continue;
        int end = k;
        while (end < projections && light[end] * jump < before)
            ++end;
        const bool returns = end == projections || light[end] > jump * light[end - 1];
        if (returns)
            for (int inside = k; inside < end; ++inside)
                dim.push_back(row.raw().firstProjection + inside);
        k = end;
    }
    if (dim.empty() || static_cast<double>(dim.size()) > mostShare * projections)
        return {};
    return Doubt{.about = Doubt::About::light, .projections = std::move(dim)};
}

// Finds projections with exactly the numbers of the one before. Without noise this says nothing: then many numbers
// are equal in neighbouring projections.
std::optional<Doubt> repeatedViews(const ExaminedRow& row, const std::vector<int>& empty)
{
    constexpr double mostShare = 0.2; // of the projections, and of equal numbers in others
    const int projections = row.raw().projections;
    const std::size_t step = std::max<std::size_t>(1, row.bins() / 64), looked = (row.bins() + step - 1) / step;
    std::vector<int> repeated;
    std::size_t equalInOthers = 0;
    for (int k = 1; k < projections; ++k) {
        const std::size_t equal = row.visit(k, [&](const auto& numbers, std::size_t first) {
            const auto* now = numbers.data() + first;
            const auto* before = now - static_cast<std::ptrdiff_t>(row.raw().rows.count * row.bins());
            std::size_t count = 0;
            for (std::size_t bin = 0; bin < row.bins(); bin += step)
                count += now[bin] == before[bin] ? 1 : 0;
            return count == looked && !std::equal(now, now + row.bins(), before) ? count - 1 : count;
        });
        if (equal < looked)
            equalInOthers += equal;
        else if (!std::ranges::binary_search(empty, k + row.raw().firstProjection))
            repeated.push_back(k + row.raw().firstProjection);
    }
    if (repeated.empty() || static_cast<double>(repeated.size()) > mostShare * projections ||
        static_cast<double>(equalInOthers) > mostShare * static_cast<double>(looked) * projections)
        return {};
    return Doubt{.about = Doubt::About::repeated, .projections = std::move(repeated)};
}

// Finds counts near the end of their type's range, far above the flats and far from most other counts.
std::optional<Doubt> wrappedNumbers(const ExaminedRow& row)
{
    constexpr double leastShare = 1e-4, top = 0.98, farAbove = 2;
    const std::vector<double>& darks = row.darks();
    const std::vector<double>& flats = row.flats();
    if (!row.isCounts() || flats.empty())
        return {};
    long long atTop = 0, above = 0;
    const auto count = [&](int step) {
        atTop = above = 0;
        row.raw().data.visit([&](const auto& numbers) {
            using Number = std::remove_cvref_t<decltype(numbers[0])>;
            if constexpr (std::is_integral_v<Number>)
                for (int k = 0; k < row.raw().projections; k += step)
                    row.visit(k, [&](const auto& same, std::size_t first) {
                        for (std::size_t bin = 0; bin < row.bins(); ++bin) {
                            const double dark = darks.empty() ? 0 : darks[bin], value = same[first + bin];
                            if (value - dark <= farAbove * (flats[bin] - dark))
                                continue;
                            ++above;
                            atTop += value >= top * std::numeric_limits<Number>::max() ? 1 : 0;
                        }
                    });
        });
    };
    count(std::max(1, row.raw().projections / 50));
    if (atTop == 0) // in some projections
        return {};
    count(1);
    const double all = static_cast<double>(row.bins()) * row.raw().projections;
    if (static_cast<double>(atTop) < leastShare * all || static_cast<double>(atTop) < 0.8 * static_cast<double>(above))
        return {};
    return Doubt{.about = Doubt::About::numbers, .count = atTop};
}

} // namespace

std::vector<Doubt> doubtsOf(const Scan& scan, const RawRows& raw, const std::vector<int>& empty)
{
    std::vector<Doubt> doubts;
    if (scan.path.empty() || raw.projections < fewest || raw.bins < fewest)
        return doubts;
    const ExaminedRow row(scan, raw);
    const auto add = [&](std::optional<Doubt> doubt) {
        if (doubt)
            doubts.push_back(*std::move(doubt));
        return doubt.has_value();
    };
    const bool hasSides = add(sidesAmong(row));
    if (!add(blockedViews(row, empty)) && !hasSides && !add(unfitAngles(row)))
        add(otherDirection(row));
    add(repeatedViews(row, empty));
    add(wrappedNumbers(row));
    return doubts;
}

std::vector<Doubt> doubtsOf(const Scan& scan, const std::stop_token& stop)
{
    constexpr double mostBytes = 256e6;
    const double bytes =
        static_cast<double>(scan.projections()) * scan.rowsTogether * scan.bins() * scan.bytesPerSample;
    if (scan.path.empty() || !scan.read || bytes > mostBytes)
        return {};
    int row = scan.rows / 2;
    if (const auto* cone = std::get_if<ConeBeam>(&scan.geometry))
        row = std::clamp(static_cast<int>(std::lround(cone->centralRow)), 0, scan.rows - 1);
    try {
        const RawRows raw = scan.read({row, 1}, stop);
        return doubtsOf(scan, raw, emptyProjections(scan, raw));
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled)
            throw;
        return {};
    }
}

} // namespace engine
