// SPDX-License-Identifier: GPL-3.0-or-later
// Flat-field correction: counts to transmission, (data − dark)/(flat − dark), with the mean or the median of the
// frames, or with flats interpolated between those that were taken at different times. Without flats, the air beside
// the object serves as the flat (outer 5 % of the bins, the brighter side, averaged over all projections).
#include "engine/prepare/flat_field.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/prepare/line_kernel.h"
#include "engine/prepare/line_program.h"
#include "engine/prepare/median.h"
#include "engine/prepare/side_means.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>

namespace engine
{

namespace
{

constexpr const char* flatFieldId = "flat-field";
constexpr const char *automatic = "automatic", *interpolated = "interpolated";

bool interpolates(const PlannedStep& planned, const Preparation& preparation)
{
    const std::string way = planned.way();
    return way == interpolated || (way == automatic && flatGroupsIn(preparation.flatPlaces) > 1);
}

// Flats that were taken together.
struct FlatGroup {
    RowRange frames;
    double place = 0; // as in Scan::flatPlaces
};

// Returns the groups between which the flats are interpolated; one group of all flats if they aren't.
std::vector<FlatGroup> groupsOf(const RawRows& raw, const PlannedStep& planned, const std::vector<double>& places)
{
    const std::string way = planned.way();
    const int flats = raw.flatFrames, projections = raw.scanProjections > 0 ? raw.scanProjections : raw.projections;
    std::vector<FlatGroup> groups;
    if ((way == automatic || way == interpolated) && static_cast<int>(places.size()) == flats) {
        for (int k = 0; k < flats; ++k) {
            if (groups.empty() || groups.back().place != places[k])
                groups.push_back({{k, 0}, places[k]});
            ++groups.back().frames.count;
        }
    } else if (way == interpolated && flats > 1) {
        const int half = flats / 2;
        groups = {{{0, half}, 0}, {{flats - half, half}, projections - 1.0}};
    }
    return groups.size() > 1 ? groups : std::vector<FlatGroup>{{{0, flats}}};
}

// Of each group, as flats of different times differ.
UnlikeFrames unlikeFramesOf(const RawRows& raw, const std::vector<FlatGroup>& groups)
{
    std::vector<RowRange> frames;
    std::ranges::transform(groups, std::back_inserter(frames), &FlatGroup::frames);
    return unlikeFramesOf(raw, frames);
}

FlatBetween betweenOf(const std::vector<FlatGroup>& groups, double projection)
{
    std::size_t k = 0;
    while (k + 2 < groups.size() && projection > groups[k + 1].place)
        ++k;
    const double from = groups[k].place, to = groups[k + 1].place;
    return {static_cast<int>(k), to > from ? std::clamp((projection - from) / (to - from), 0.0, 1.0) : 0};
}

// Correction of counts to transmission, per pixel of a frame: (count − dark)·gain; gain is NaN where the pixel is
// dead.
struct Correction {
    std::vector<double> dark;
    std::vector<double> gain;         // empty if the flats change
    std::vector<double> flats;        // flat − dark of each group of flats; empty if they don't change
    std::vector<FlatGroup> groups;    // at least one
    std::vector<FlatBetween> between; // per projection, if the flats change
    std::vector<int> deadInRow;       // dead pixels per row
    long long outliers = 0;           // dead pixels due to badPixels
    long long hits = 0;               // values of single darks or flats that were left out
    std::optional<UnlikeFrames> leftOut;
};

constexpr const char* badPixelsId = "bad-pixels";
std::span<const StepField> flatFieldParameters()
{
    static const std::vector<StepField> fields =
        stepFields({{.id = flatFieldId,
                     .label = "Flat field",
                     .summary = "How flat and dark frames are averaged",
                     .kind = FieldKind::choice,
                     .choices = {{automatic, "As the flats were taken",
                                  "Interpolates over the projections if the scan records that flats were taken at "
                                  "different times, such as before and after it; else the mean"},
                                 {"mean", "Mean of the flats", "Mean of the flat frames, and of the dark frames"},
                                 {"median", "Median of the flats", "Median of the frames: if some of them are faulty"},
                                 {interpolated, "From the first to the last flats",
                                  "Interpolates over the projections between flats taken at different times; where the "
                                  "scan doesn't record when, from the first half of the flats to the second half"}}},
                    {.id = badPixelsId,
                     .label = "Bad pixels beyond",
                     .summary = "Repair pixels whose dark level or response deviates by more than this many σ from "
                                "their neighbours in the row; default: only dead ones",
                     .unit = "σ",
                     .form = "SIGMAS",
                     .kind = FieldKind::real,
                     .least = 3,
                     .most = 1000,
                     .step = 1,
                     .use = {.mayBeLeft = true}}});
    return fields;
}

// Returns why a row without flats has no light, if its values alone show the reason: all are 0, or none is a number.
std::optional<std::string> whyNothing(const RawRows& raw, int row)
{
    bool anyNumber = false, anyOther = false; // other than 0
    raw.data.visit([&](const auto& numbers) {
        for (int projection = 0; projection < raw.projections && !anyOther; ++projection) {
            const std::size_t line = static_cast<std::size_t>(projection) * raw.rows.count + row;
            for (int bin = 0; bin < raw.bins; ++bin) {
                const auto value = static_cast<float>(numbers[line * raw.bins + bin]);
                anyNumber = anyNumber || std::isfinite(value);
                anyOther = anyOther || (std::isfinite(value) && value != 0);
            }
        }
    });
    if (anyOther)
        return {};
    return anyNumber ? "nothing but 0 in all" : "no number in any";
}

[[noreturn]] void throwDead(const RawRows& raw, int row)
{
    const std::string name = "Row " + std::to_string(raw.rows.first + row) + " of the detector ";
    if (const auto nothing = raw.flatFrames > 0 ? std::nullopt : whyNothing(raw, row))
        throw Error(ErrorKind::badFile,
                    name + "holds " + *nothing + " of its " + std::to_string(raw.projections) +
                        " projections. Choose another row, or check that these are the scan's projections and, for raw "
                        "data, that shape, type and byte order are right.");
    throw Error(ErrorKind::badFile,
                name + "is dead: its " +
                    (raw.flatFrames > 0 ? "flat field is nowhere brighter than its dark field"
                                        : "data are nowhere brighter than the dark field, and there is no flat field") +
                    ". Choose another row, check which frames are flats and which are darks, or specify that its "
                    "values are transmission or line integrals, not counts.");
}

// Marks the values of a row that are more than `most` standard deviations from the median of 11 values: themselves
// and 5 neighbours on each side. The standard deviation is estimated from the median of the distances from these
// medians (1.4826 × median for normal noise); `least` is its lower bound.
void markOutliers(std::span<const double> row, double most, double least, std::vector<char>& outliers)
{
    constexpr int reach = 5;
    const int count = static_cast<int>(row.size());
    std::vector<float> distances(row.size(), noValue), window;
    for (int k = 0; k < count; ++k) {
        window.clear();
        for (int i = std::max(0, k - reach); i <= std::min(count - 1, k + reach); ++i)
            if (std::isfinite(row[i]))
                window.push_back(static_cast<float>(row[i]));
        if (!window.empty())
            distances[k] = static_cast<float>(std::abs(row[k] - medianOf(window)));
    }
    window.clear();
    std::ranges::copy_if(distances, std::back_inserter(window), [](float value) { return std::isfinite(value); });
    if (window.empty())
        return;
    const double deviation = std::max(least, 1.4826 * medianOf(window));
    for (int k = 0; k < count; ++k)
        outliers[k] = static_cast<char>(outliers[k] || distances[k] > most * deviation);
}

class CorrectionMaker
{
  public:
    CorrectionMaker(const RawRows& raw, const PlannedStep& planned, const Preparation& preparation)
        : m_raw(raw), m_groups(groupsOf(raw, planned, preparation.flatPlaces)),
          m_leftOut(preparation.areSidesJoined ? UnlikeFrames() : unlikeFramesOf(raw, m_groups)),
          m_bins(static_cast<std::size_t>(raw.bins)), m_way(planned.way()), m_badPixels(planned.value(badPixelsId))
    {
    }

    Correction make()
    {
        const std::size_t frame = static_cast<std::size_t>(m_raw.rows.count) * m_bins;
        m_made.dark.resize(frame);
        m_made.flats.resize(m_groups.size() * frame);
        m_made.deadInRow.resize(m_raw.rows.count);
        if (m_way != "median")
            m_made.leftOut = m_leftOut;
        if (m_raw.darkFrames > 0)
            parallelFor(0, m_raw.rows.count, [&](int row) {
                std::ranges::copy(rowOf(m_raw.darks, {0, m_raw.darkFrames}, m_leftOut.darks, row),
                                  m_made.dark.begin() + row * m_bins);
            });
        if (m_raw.flatFrames == 0)
            m_airs = airOfRows(m_raw, m_made.dark);
        std::vector<int> outliers(m_raw.rows.count);
        parallelFor(0, m_raw.rows.count, [&](int row) {
            for (std::size_t k = 0; k < m_groups.size(); ++k) {
                const int found = lightOfRow(flatOf(m_groups[k].frames, row), row, m_made.flats.data() + k * frame);
                outliers[row] = std::max(outliers[row], found);
            }
            m_made.deadInRow[row] = joinDead(row);
        });
        m_made.hits = m_hits;
        m_made.outliers = std::accumulate(outliers.begin(), outliers.end(), 0LL);
        for (int row = 0; row < m_raw.rows.count; ++row)
            if (m_made.deadInRow[row] == m_raw.bins)
                throwDead(m_raw, row);
        if (m_groups.size() == 1) {
            m_made.gain = std::move(m_made.flats);
            for (double& value : m_made.gain)
                value = 1 / value;
        } else {
            for (int k = 0; k < m_raw.projections; ++k)
                m_made.between.push_back(betweenOf(m_groups, m_raw.firstProjection + k));
        }
        m_made.groups = m_groups;
        return std::move(m_made);
    }

  private:
    std::vector<double> rowOf(const Values& frames, RowRange some, const std::vector<int>& leftOut, int row)
    {
        long long hits = 0;
        std::vector<double> line =
            m_way == "median" ? medianRow(frames, some, m_raw, row) : meanRow(frames, some, leftOut, m_raw, row, hits);
        m_hits += hits;
        return line;
    }

    std::vector<double> flatOf(RowRange some, int row)
    {
        if (m_raw.flatFrames > 0)
            return rowOf(m_raw.flats, some, m_leftOut.flats, row);
        std::vector<double> flat;
        for (std::size_t bin = 0; bin < m_bins; ++bin)
            flat.push_back(m_made.dark[row * m_bins + bin] + m_airs[row]);
        return flat;
    }

    // Computes flat − dark of a row, NaN where a pixel is dead. Returns the number of pixels that are dead due to
    // badPixels.
    int lightOfRow(std::span<const double> flat, int row, double* lights) const
    {
        int outliers = 0;
        const std::size_t first = row * m_bins;
        const std::span<const double> dark = std::span(m_made.dark).subspan(first, m_bins);
        std::vector<double> light(m_bins);
        for (std::size_t bin = 0; bin < m_bins; ++bin)
            light[bin] = flat[bin] - dark[bin];
        std::vector<char> bad(m_bins, 0);
        if (m_badPixels > 0) {
            const double mean = std::accumulate(light.begin(), light.end(), 0.0) / static_cast<double>(m_bins);
            const double least = std::isfinite(mean) ? 1e-4 * std::abs(mean) : 0.0;
            markOutliers(light, m_badPixels, least, bad);
            markOutliers(dark, m_badPixels, least, bad);
        }
        for (std::size_t bin = 0; bin < m_bins; ++bin) {
            const bool alive = light[bin] > 0 && std::isfinite(light[bin]);
            lights[first + bin] = alive && !bad[bin] ? light[bin] : noValue;
            outliers += alive && bad[bin];
        }
        return outliers;
    }

    // Marks pixels that are dead in one group as dead in all; returns their number.
    int joinDead(int row)
    {
        const std::size_t frame = m_made.dark.size();
        int dead = 0;
        for (std::size_t pixel = row * m_bins; pixel < (row + 1) * m_bins; ++pixel) {
            double sum = 0;
            for (std::size_t k = 0; k < m_groups.size(); ++k)
                sum += m_made.flats[k * frame + pixel];
            dead += std::isnan(sum);
            for (std::size_t k = 0; k < m_groups.size() && std::isnan(sum); ++k)
                m_made.flats[k * frame + pixel] = noValue;
        }
        return dead;
    }

    const RawRows& m_raw;
    std::vector<FlatGroup> m_groups;
    UnlikeFrames m_leftOut;
    std::size_t m_bins;
    std::string m_way;
    double m_badPixels;
    std::vector<double> m_airs; // per row; only without flats
    std::atomic<long long> m_hits = 0;
    Correction m_made;
};

void applyCorrection(const Correction& correction, LineAtWork& line)
{
    const std::size_t first = line.row * line.values.size();
    const double* dark = correction.dark.data() + first;
    line.deadPixels = correction.deadInRow[line.row];
    if (correction.between.empty())
        return correctLine(line, dark, correction.gain.data() + first);
    const auto [group, late] = correction.between[line.projection];
    const double* early = correction.flats.data() + group * correction.dark.size() + first;
    const double* after = early + correction.dark.size();
    std::vector<double> gain(line.values.size());
    for (std::size_t bin = 0; bin < gain.size(); ++bin)
        gain[bin] = 1 / ((1 - late) * early[bin] + late * after[bin]);
    correctLine(line, dark, gain.data());
}

Note noteOnGroups(const std::vector<FlatGroup>& groups, bool areRecorded)
{
    if (!areRecorded)
        return "The flat field is interpolated from the first " + std::to_string(groups.front().frames.count) +
               " flat frames to the last ones over the projections.";
    std::vector<std::string> counts;
    for (const FlatGroup& group : groups)
        counts.push_back(std::to_string(group.frames.count));
    return "The flat field is interpolated between " + std::to_string(groups.size()) + " groups of flat frames (" +
           listed(counts) + "), which were taken at different times.";
}

std::vector<Note> flatFieldNotes(const RawRows& raw, const Preparation& preparation, const Correction& correction)
{
    std::vector<Note> notes;
    if (raw.flatFrames == 0)
        notes.push_back(
            "There is no flat field: the air beside the object (outer 5 % of the bins) was used as the flat.");
    if (raw.darkFrames == 0)
        notes.push_back("There is no dark field: the dark level was assumed to be 0.");
    const long long dead = std::accumulate(correction.deadInRow.begin(), correction.deadInRow.end(), 0LL);
    if (dead > 0)
        notes.push_back({"dead-pixels", dead, "dead pixel was", "dead pixels were",
                         " interpolated from the neighbours in the same row."});
    if (correction.outliers > 0)
        notes.push_back({"unlike-pixels", correction.outliers, "pixel", "pixels",
                         " with a dark level or a response unlike the neighbours' counted as dead."});
    if (correction.hits > 0)
        notes.push_back({"hits", correction.hits, "pixel of a dark or flat frame was",
                         "pixels of dark or flat frames were",
                         " far from the other frames (hits of particles) and left out of their mean."});
    const auto noteLeftOut = [&](const std::vector<int>& frames, const std::string& kind) {
        if (!frames.empty())
            notes.push_back(kind + (frames.size() == 1 ? " frame " : " frames ") + rangesInWords(rangesOf(frames)) +
                            ", counted from 0, " + (frames.size() == 1 ? "isn't" : "aren't") + " like the others and " +
                            (frames.size() == 1 ? "was" : "were") + " left out of their mean.");
    };
    if (correction.leftOut) {
        noteLeftOut(correction.leftOut->darks, "Dark");
        noteLeftOut(correction.leftOut->flats, "Flat");
    }
    if (!correction.between.empty())
        notes.push_back(noteOnGroups(correction.groups, !preparation.flatPlaces.empty()));
    return notes;
}

std::size_t flatFieldBytes(const RowsShape& shape)
{
    // Dark level, flats and gain; and the sums beside the object.
    return ((2 + std::max(2, shape.flatGroups)) * sizeof(double) * shape.bins +
            4 * sizeof(double) * shape.projections) *
           shape.rows;
}

StepAtWork startFlatField(const StepArguments& arguments)
{
    const auto correction = std::make_shared<const Correction>(
        CorrectionMaker(arguments.raw, arguments.planned, arguments.preparation).make());
    return {.apply = [correction](LineAtWork& line) { applyCorrection(*correction, line); },
            .fetches = true,
            .notes = [correction, &raw = arguments.raw,
                      &preparation = arguments.preparation] { return flatFieldNotes(raw, preparation, *correction); },
            .describe =
                [correction](LineProgram& program) {
                    program.dark = correction->dark, program.gain = correction->gain;
                    program.lights = correction->flats, program.between = correction->between;
                    program.deadInRow = correction->deadInRow;
                }};
}

} // namespace

bool interpolatesFlats(const Preparation& preparation)
{
    const PlannedStep* step = preparation.find(flatFieldId);
    return step && interpolates(*step, preparation);
}

void joinFrames(RawRows& raw, Preparation& preparation)
{
    const PlannedStep& flatField = *preparation.find(flatFieldId);
    const std::string way = flatField.way();
    const auto bins = static_cast<std::size_t>(raw.bins);
    const std::vector<FlatGroup> groups = groupsOf(raw, flatField, preparation.flatPlaces);
    const UnlikeFrames unlike = unlikeFramesOf(raw, groups);
    const auto join = [&](Values& frames, int& count, const std::vector<FlatGroup>& parts,
                          const std::vector<int>& leftOut) {
        if (count == 0)
            return;
        Values joined(parts.size() * raw.rows.count * bins);
        parallelFor(0, raw.rows.count, [&](int row) {
            for (std::size_t k = 0; k < parts.size(); ++k) {
                long long hits = 0;
                const std::vector<double> line = way == "median"
                                                     ? medianRow(frames, parts[k].frames, raw, row)
                                                     : meanRow(frames, parts[k].frames, leftOut, raw, row, hits);
                std::ranges::copy(line,
                                  joined.begin() + static_cast<std::ptrdiff_t>((k * raw.rows.count + row) * bins));
            }
        });
        frames = std::move(joined);
        count = static_cast<int>(parts.size());
    };
    join(raw.darks, raw.darkFrames, {{{0, raw.darkFrames}}}, unlike.darks);
    join(raw.flats, raw.flatFrames, groups, unlike.flats);
    preparation.areSidesJoined = true;
    preparation.flatPlaces.clear();
    for (const FlatGroup& group : groups)
        preparation.flatPlaces.push_back(group.place);
}

extern constinit const Step flatFieldStep{
    .id = "flat-field",
    .label = "Flat field",
    .summary = "Divides the counts with the object by those without it, after subtracting the dark level.",
    .reference = "Seibert, Boone and Lindfors, Flat-field correction technique for digital detectors, SPIE 3336, 1998",
    .from = {.quantity = Quantity::counts},
    .to = {.quantity = Quantity::transmission},
    .parameters = flatFieldParameters,
    .bytes = flatFieldBytes,
    .onDevices = [](const PlannedStep&, const Preparation&) { return true; },
    .start = startFlatField,
};

} // namespace engine
