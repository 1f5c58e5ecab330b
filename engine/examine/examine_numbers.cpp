// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the numbers: wrapped, saturated, of another sign, or far from the flats.
#include "engine/base/number_text.h"
#include "engine/examine/examined_row.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace engine
{

namespace
{

// Returns the share of numbers for which isOne(value, bin) is true, in up to 50 projections.
template <typename Test>
double shareOf(const ExaminedRow& row, const Test& isOne)
{
    constexpr int mostProjections = 50;
    long long count = 0;
    const std::vector<int> some = spreadOver(row.raw().projections, mostProjections);
    for (const int projection : some)
        row.visit(projection, [&](const auto& numbers, std::size_t first) {
            for (std::size_t bin = 0; bin < row.bins(); ++bin)
                count += isOne(static_cast<double>(numbers[first + bin]), bin) ? 1 : 0;
        });
    return static_cast<double>(count) / (static_cast<double>(row.bins()) * static_cast<double>(some.size()));
}

std::string shareInPercent(double share)
{
    return numberToText(std::round(share * 1000) / 10) + " %";
}

// Finds counts near the end of their type's range, far above the flats and far from most other counts.
std::optional<Doubt> wrappedNumbers(const ExaminedRow& row)
{
    constexpr double leastShare = 1e-4, top = 0.98, farAbove = 2;
    const std::vector<double>& darks = row.darks();
    const std::vector<double>& flats = row.flats();
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

// Finds flats, or projections, at the top of the detector's range. Flats of nothing but one number, which projections
// don't reach, are made to normalise them.
std::optional<Doubt> saturatedNumbers(const ExaminedRow& row)
{
    constexpr double leastShare = 0.01, allButFew = 0.99;
    constexpr std::array tops{255.0F, 1023.0F, 4095.0F, 16383.0F, 65535.0F};
    const Values& flats = row.raw().flats;
    const auto first = flats.begin() + static_cast<std::ptrdiff_t>(row.first()); // of the row in the first frame
    const float top = *std::max_element(first, first + static_cast<std::ptrdiff_t>(row.bins()));
    if (std::ranges::find(tops, top) == tops.end())
        return {};
    const double ofFlats =
        static_cast<double>(std::count(first, first + static_cast<std::ptrdiff_t>(row.bins()), top)) /
        static_cast<double>(row.bins());
    const double ofProjections = shareOf(row, [top](double value, std::size_t) { return value == top; });
    if (ofFlats < leastShare || (ofFlats > allButFew && ofProjections < leastShare))
        return {};
    return Doubt{.about = Doubt::About::numbers,
                 .text = shareInPercent(ofFlats) + " of the numbers of the flats are " + numberToText(top) +
                         ", the largest one of a detector: it was saturated, and the slices are wrong there. Record "
                         "the scan with less light or a shorter exposure."};
}

// Returns what a line's logarithm has of the detector's pattern: its second differences.
std::vector<double> patternOf(const std::vector<double>& line, const std::vector<double>& darks)
{
    std::vector<double> pattern;
    const auto at = [&](std::size_t bin) { return std::log(line[bin] - (darks.empty() ? 0 : darks[bin])); };
    for (std::size_t bin = 1; bin + 1 < line.size(); ++bin) {
        const double bend = at(bin) - (at(bin - 1) + at(bin + 1)) / 2;
        pattern.push_back(std::isfinite(bend) ? bend : 0);
    }
    return pattern;
}

std::vector<double> meanProjection(const ExaminedRow& row)
{
    const std::vector<int> some = spreadOver(row.raw().projections, 200);
    std::vector<double> mean(row.bins());
    for (const int projection : some)
        row.visit(projection, [&](const auto& numbers, std::size_t from) {
            for (std::size_t bin = 0; bin < mean.size(); ++bin)
                mean[bin] += static_cast<double>(numbers[from + bin]) / static_cast<double>(some.size());
        });
    return mean;
}

// Finds numbers far below the darks, which have light in them then.
std::optional<Doubt> litDarks(const ExaminedRow& row)
{
    constexpr double leastShare = 0.003, ofLight = 0.02, manyNoises = 6;
    const std::vector<double>& darks = row.darks();
    if (darks.empty())
        return {};
    std::vector<double> light, noise; // noise: between two frames, or else between pixels
    const std::vector<double> first = row.sideLine(row.raw().darks, 0),
                              last = row.sideLine(row.raw().darks, row.raw().darkFrames - 1);
    for (std::size_t bin = 1; bin < darks.size(); ++bin) {
        light.push_back(row.flats()[bin] - darks[bin]);
        noise.push_back(row.raw().darkFrames > 1 ? first[bin] - last[bin] : first[bin] - first[bin - 1]);
    }
    const double limit = std::max(ofLight * medianMagnitude(light), manyNoises * medianMagnitude(noise));
    const double below = shareOf(row, [&](double value, std::size_t bin) { return value < darks[bin] - limit; });
    if (below < leastShare)
        return {};
    return Doubt{.about = Doubt::About::unlike,
                 .text = shareInPercent(below) +
                         " of the numbers are far lower than the darks: there was light when these "
                         "were taken, and values are too high. Give others" +
                         hint("darks", "FILE") + "."};
}

// Finds bins in which the projections are brighter than the flats on average.
std::optional<Doubt> darkFlats(const ExaminedRow& row, const std::vector<double>& mean)
{
    constexpr double leastShare = 0.05, leastAbove = 0.1, manyNoises = 6;
    const double limit = 1 + std::max(leastAbove, manyNoises * medianMagnitude(patternOf(row.flats(), row.darks())));
    std::size_t above = 0;
    double most = 0;
    for (std::size_t bin = 0; bin < mean.size(); ++bin) {
        const double dark = row.darks().empty() ? 0 : row.darks()[bin], light = row.flats()[bin] - dark;
        const double through = light > 0 ? (mean[bin] - dark) / light : 0;
        above += through > limit ? 1 : 0;
        most = std::max(most, through);
    }
    const double share = static_cast<double>(above) / static_cast<double>(mean.size());
    if (share < leastShare)
        return {};
    return Doubt{.about = Doubt::About::unlike,
                 .text = "In " + shareInPercent(share) +
                         " of the bins the projections are brighter than the flats, by a factor of up to " +
                         numberToText(std::round(most * 10) / 10) +
                         ": these show the object, or have another exposure or number type. Give others" +
                         hint("flats", "FILE") + "."};
}

// Finds numbers far below 0 and the darks.
std::optional<Doubt> signedNumbers(const ExaminedRow& row)
{
    constexpr double leastShare = 1e-3, farBelow = 0.25;
    double top = 0;
    row.raw().data.visit([&](const auto& numbers) {
        using Number = std::remove_cvref_t<decltype(numbers[0])>;
        if constexpr (std::is_integral_v<Number> && std::is_signed_v<Number>)
            top = std::numeric_limits<Number>::max();
    });
    const auto darkAt = [&](std::size_t bin) { return row.darks().empty() ? 0 : row.darks()[bin]; };
    const double below =
        top > 0 ? shareOf(row, [&](double value,
                                   std::size_t bin) { return value < std::min(darkAt(bin), 0.0) - farBelow * top; })
                : 0;
    if (below >= leastShare)
        return Doubt{.about = Doubt::About::numbers,
                     .text = shareInPercent(below) +
                             " of the numbers are far below 0: numbers without a sign were stored as " +
                             row.scan().sampleType +
                             ", so that large ones became negative. The slices are wrong; "
                             "correct the type where the file was written."};
    return {};
}

// Finds many numbers that are no higher than the darks.
std::optional<Doubt> darkNumbers(const ExaminedRow& row)
{
    constexpr double mostDark = 0.15;
    const auto darkAt = [&](std::size_t bin) { return row.darks().empty() ? 0 : row.darks()[bin]; };
    const double dark = shareOf(row, [&](double value, std::size_t bin) { return value <= darkAt(bin); });
    if (dark >= mostDark)
        return Doubt{.about = Doubt::About::numbers,
                     .text = shareInPercent(dark) +
                             " of the numbers are no higher than the darks. If they are line "
                             "integrals or transmission, not counts, say so" +
                             hint("values", "line-integrals") +
                             "; else the beam doesn't get through the object, and "
                             "the slices are wrong."};
    return {};
}

// Finds flats that differ from pixel to pixel by far more than the projections.
std::optional<Doubt> roughFlats(const ExaminedRow& row, const std::vector<double>& mean)
{
    constexpr double strong = 0.15, times = 3;
    if (const double own = medianMagnitude(patternOf(row.sideLine(row.raw().flats, 0), row.darks()));
        own > strong && own > times * medianMagnitude(patternOf(mean, row.darks())))
        return Doubt{.about = Doubt::About::unlike,
                     .text =
                         "The flats differ from pixel to pixel by far more than the projections do: their bytes are in "
                         "another order, or they aren't flats. Give others" +
                         hint("flats", "FILE") + "."};
    return {};
}

// Returns the logarithms of medians of parts of a line, without their best parabola: beams drift and bend so.
std::vector<double> withoutBend(const std::vector<double>& line)
{
    constexpr std::size_t parts = 32;
    std::vector<double> logs;
    for (std::size_t part = 0; part < parts; ++part)
        logs.push_back(std::log(medianMagnitude(
            std::vector(line.begin() + static_cast<std::ptrdiff_t>(part * line.size() / parts),
                        line.begin() + static_cast<std::ptrdiff_t>((part + 1) * line.size() / parts)))));
    std::array<std::vector<double>, 3> basis; // orthogonal, as the places are symmetric
    constexpr double count = parts, meanSquare = (count + 1) / (3 * (count - 1)); // of the places −1 … 1
    for (std::size_t k = 0; k < parts; ++k) {
        const double place = 2 * static_cast<double>(k) / (count - 1) - 1;
        basis[0].push_back(1);
        basis[1].push_back(place);
        basis[2].push_back(place * place - meanSquare);
    }
    for (const std::vector<double>& each : basis) {
        const double share = scalarProduct(logs, each) / scalarProduct(each, each);
        for (std::size_t k = 0; k < parts; ++k)
            logs[k] -= share * each[k];
    }
    return logs;
}

// Finds flats that differ from those taken earlier as the object does, or by far more than a beam drifts.
std::optional<Doubt> changedFlats(const ExaminedRow& row, const std::vector<double>& mean)
{
    constexpr double alike = 0.8, leastShare = 0.1, leastBend = 0.06; // correlation, share of the object; of the light
    const std::vector<double>& places = row.scan().flatPlaces;
    if (places.size() != static_cast<std::size_t>(row.raw().flatFrames) || row.bins() < 64)
        return {};
    const auto darkAt = [&](std::size_t bin) { return row.darks().empty() ? 0 : row.darks()[bin]; };
    std::vector<std::vector<double>> groups; // sums of their frames
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (k == 0 || places[k] != places[k - 1])
            groups.emplace_back(row.bins());
        const std::vector<double> line = row.sideLine(row.raw().flats, static_cast<int>(k));
        for (std::size_t bin = 0; bin < row.bins(); ++bin)
            groups.back()[bin] += line[bin] - darkAt(bin);
    }
    const auto ratioTo = [&](const std::vector<double>& light) {
        std::vector<double> ratios;
        for (std::size_t bin = 0; bin < row.bins(); ++bin)
            ratios.push_back(light[bin] / groups[0][bin]);
        return withoutBend(ratios);
    };
    std::vector<double> light;
    for (std::size_t bin = 0; bin < row.bins(); ++bin)
        light.push_back(mean[bin] - darkAt(bin));
    const std::vector<double> object = ratioTo(light);
    for (std::size_t k = 1; k < groups.size(); ++k) {
        const std::vector<double> change = ratioTo(groups[k]);
        const double of = scalarProduct(object, object), own = scalarProduct(change, change),
                     both = scalarProduct(object, change);
        const bool isObject = std::abs(both) > alike * std::sqrt(of * own) && std::abs(both) > leastShare * of;
        if (!isObject && !(own > leastBend * leastBend * static_cast<double>(change.size())))
            continue;
        return Doubt{.about = Doubt::About::unlike,
                     .text = "The flats taken " +
                             std::string(k + 1 < groups.size() ? "between the projections" : "after the projections") +
                             " differ from the first ones" + (isObject ? " as the object does" : " along the row") +
                             ", not as a beam drifts: some show the object. Give the right ones" +
                             hint("flats", "FILE") + "."};
    }
    return {};
}

// Finds flats whose pattern of pixels isn't in the mean projection. Nothing is found if the flats have no pattern, that
// is if two of them are unlike in it, or if the object hides it.
std::optional<Doubt> otherPattern(const ExaminedRow& row, const std::vector<double>& mean)
{
    constexpr double alike = 0.8, mostShare = 0.3, mostError = 0.15; // correlation; share of the pattern, and its error
    constexpr std::size_t fewestBins = 64;
    const int flats = row.raw().flatFrames;
    if (flats < 2 || row.bins() < fewestBins)
        return {};
    const std::vector<double> first = patternOf(row.sideLine(row.raw().flats, 0), row.darks()),
                              last = patternOf(row.sideLine(row.raw().flats, flats - 1), row.darks());
    if (scalarProduct(first, last) < alike * std::sqrt(scalarProduct(first, first) * scalarProduct(last, last)))
        return {};
    const std::vector<double> flat = patternOf(row.flats(), row.darks());
    std::vector<double> left = patternOf(mean, row.darks());
    const double all = scalarProduct(flat, flat), share = all > 0 ? scalarProduct(flat, left) / all : 1;
    for (std::size_t k = 0; k < left.size(); ++k)
        left[k] -= share * flat[k];
    const double error = std::sqrt(scalarProduct(left, left) / (static_cast<double>(left.size()) * all));
    if (share > mostShare || !(error < mostError))
        return {};
    return Doubt{.about = Doubt::About::unlike,
                 .text = "The projections don't have the pattern of pixels that the flats have: these are shifted, "
                         "mirrored, of another part of the detector, or the projections are corrected already, and the "
                         "slices get rings. Give the right ones" +
                         hint("flats", "FILE") + "."};
}

} // namespace

// Finds darks or flats of two kinds, of which the smaller one is half of them: nothing tells which is right. Smaller
// kinds are left out of the means (unlikeFramesOf).
std::optional<Doubt> unlikeSides(const ExaminedRow& row)
{
    constexpr double leastOfLight = 0.05, leastRatio = 2; // between darks; between flats
    const auto meanOf = [](const std::vector<double>& line) {
        double sum = 0;
        for (const double value : line)
            sum += value / static_cast<double>(line.size());
        return sum;
    };
    if (!row.isCounts() || row.flats().empty())
        return {};
    const double dark = row.darks().empty() ? 0 : meanOf(row.darks()), light = meanOf(row.flats()) - dark;
    if (!(light > 0)) {
        if (auto doubt = signedNumbers(row))
            return doubt;
        return Doubt{.about = Doubt::About::unlike,
                     .text =
                         "The flats are no brighter than the darks: they are exchanged, or of the wrong type. Give the "
                         "right ones" +
                         hint("flats", "FILE") + "."};
    }
    for (const bool areFlats : {false, true}) {
        const int count = areFlats ? row.raw().flatFrames : row.raw().darkFrames;
        std::vector<double> levels;
        for (int frame = 0; frame < count; ++frame)
            levels.push_back(meanOf(row.sideLine(areFlats ? row.raw().flats : row.raw().darks, frame)));
        std::ranges::sort(levels);
        if (count < 2 || count % 2 != 0)
            continue;
        const double low = levels[static_cast<std::size_t>(count / 2 - 1)],
                     high = levels[static_cast<std::size_t>(count / 2)];
        if (areFlats ? high - dark < leastRatio * (low - dark) : high - low < leastOfLight * std::abs(light))
            continue;
        const std::string kind = areFlats ? "flat" : "dark";
        return Doubt{.about = Doubt::About::unlike,
                     .text = "Half of the " + std::to_string(count) + ' ' + kind +
                             " frames are far brighter than the "
                             "others (" +
                             numberToText(std::round(high)) + " and " + numberToText(std::round(low)) +
                             "), and nothing tells which are right: the slices are wrong. Give the right ones" +
                             hint(kind + "s", "FILE") + "."};
    }
    const std::vector<double> mean = meanProjection(row);
    for (const auto test : {roughFlats, darkFlats, changedFlats, otherPattern})
        if (auto doubt = test(row, mean))
            return doubt;
    return litDarks(row);
}

std::optional<Doubt> unlikelyNumbers(const ExaminedRow& row)
{
    if (!row.isCounts() || row.flats().empty())
        return {};
    if (auto doubt = wrappedNumbers(row))
        return doubt;
    if (auto doubt = saturatedNumbers(row))
        return doubt;
    if (auto doubt = signedNumbers(row))
        return doubt;
    return darkNumbers(row);
}

} // namespace engine
