// SPDX-License-Identifier: GPL-3.0-or-later
// Flat-field correction: counts to transmission, (data − dark)/(flat − dark), with the mean or the median of the
// frames, or with flats interpolated from the first projection to the last. Without flats, the air beside the object
// serves as the flat (outer 5 % of the bins, the brighter side, averaged over all projections).
#include "engine/prepare/flat_field.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/prepare/line_kernel.h"
#include "engine/prepare/median.h"
#include "engine/prepare/side_means.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>
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

// Sum and number of finite values.
struct FiniteSum {
    double sum = 0;
    long long good = 0;

    void add(double value)
    {
        if (std::isfinite(value)) {
            sum += value;
            ++good;
        }
    }
    void add(const FiniteSum& other)
    {
        sum += other.sum;
        good += other.good;
    }
    double mean() const { return good > 0 ? sum / good : 0.0; }
};

// Returns the air level of each row: the mean of data − dark over the outer 5 % of the bins of all projections, on
// the brighter side. Reads the data in memory order, as the projections of a row are far apart. dark: [row][bin].
std::vector<double> airOfRows(const RawRows& raw, std::span<const double> dark)
{
    const auto rows = static_cast<std::size_t>(raw.rows.count), bins = static_cast<std::size_t>(raw.bins);
    const std::size_t outer = std::max<std::size_t>(1, bins / 20);
    std::vector<std::array<FiniteSum, 2>> lines(rows * raw.projections);
    parallelFor(0, raw.projections, [&](int projection) {
        raw.data.visit([&](const auto& numbers) {
            for (std::size_t row = 0; row < rows; ++row) {
                const std::size_t line = projection * rows + row;
                for (std::size_t k = 0; k < outer; ++k) {
                    const std::size_t right = bins - outer + k;
                    lines[line][0].add(numbers[line * bins + k] - dark[row * bins + k]);
                    lines[line][1].add(numbers[line * bins + right] - dark[row * bins + right]);
                }
            }
        });
    });
    std::vector<double> airs;
    for (std::size_t row = 0; row < rows; ++row) {
        std::array<FiniteSum, 2> sides;
        for (int projection = 0; projection < raw.projections; ++projection)
            for (const std::size_t side : {0, 1})
                sides[side].add(lines[projection * rows + row][side]);
        airs.push_back(std::max(sides[0].mean(), sides[1].mean()));
    }
    return airs;
}

// Correction of counts to transmission, per pixel of a frame: (count − dark)·gain; gain is NaN where the pixel is
// dead.
struct Correction {
    std::vector<double> dark;
    std::vector<double> gain;
    std::vector<int> deadInRow;  // dead pixels per row
    std::vector<double> endGain; // for the last projection, `gain` then being for the first; empty: same gain for all
    long long outliers = 0;      // dead pixels due to badPixels
    long long hits = 0;          // values of single darks or flats that were left out
    std::optional<UnlikeFrames> leftOut;
};

constexpr const char* flatFieldId = "flat-field";
constexpr const char* badPixelsId = "bad-pixels";
std::span<const StepField> flatFieldParameters()
{
    static const std::vector<StepField> fields =
        stepFields({{.id = flatFieldId,
                     .label = "Flat field",
                     .summary = "How flat and dark frames are averaged",
                     .kind = FieldKind::choice,
                     .choices = {{"mean", "Mean of the flats", "Mean of the flat frames, and of the dark frames"},
                                 {"median", "Median of the flats", "Median of the frames: if some of them are faulty"},
                                 {"interpolated", "From the first to the last flats",
                                  "Interpolates over the projections from the first half of the flats to the second "
                                  "half: for flats taken before and after the scan"}}},
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
    CorrectionMaker(const RawRows& raw, const PlannedStep& planned)
        : m_raw(raw), m_leftOut(unlikeFramesOf(raw)), m_bins(static_cast<std::size_t>(raw.bins)), m_way(planned.way()),
          m_badPixels(planned.value(badPixelsId))
    {
    }

    Correction make()
    {
        const std::size_t frame = static_cast<std::size_t>(m_raw.rows.count) * m_bins;
        m_made = {
            std::vector<double>(frame), std::vector<double>(frame), std::vector<int>(m_raw.rows.count), {}, 0, 0, {}};
        if (m_way != "median")
            m_made.leftOut = m_leftOut;
        const bool changes = m_way == "interpolated" && m_raw.flatFrames > 1;
        const int half = changes ? m_raw.flatFrames / 2 : m_raw.flatFrames;
        if (changes)
            m_made.endGain.resize(frame);
        if (m_raw.darkFrames > 0)
            parallelFor(0, m_raw.rows.count, [&](int row) {
                std::ranges::copy(rowOf(m_raw.darks, {0, m_raw.darkFrames}, m_leftOut.darks, row),
                                  m_made.dark.begin() + row * m_bins);
            });
        if (m_raw.flatFrames == 0)
            m_airs = airOfRows(m_raw, m_made.dark);
        std::vector<int> outliers(m_raw.rows.count);
        parallelFor(0, m_raw.rows.count, [&](int row) {
            m_made.deadInRow[row] = correctRow(flatOf({0, half}, row), row, m_made.gain, outliers[row]);
            if (changes) {
                int again = 0;
                correctRow(flatOf({m_raw.flatFrames - half, half}, row), row, m_made.endGain, again);
                m_made.deadInRow[row] = joinDead(row);
            }
        });
        m_made.hits = m_hits;
        m_made.outliers = std::accumulate(outliers.begin(), outliers.end(), 0LL);
        for (int row = 0; row < m_raw.rows.count; ++row)
            if (m_made.deadInRow[row] == m_raw.bins)
                throwDead(m_raw, row);
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

    // Computes the gain of a row and returns the number of its dead pixels.
    int correctRow(std::span<const double> flat, int row, std::vector<double>& gain, int& outliers) const
    {
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
        int dead = 0;
        for (std::size_t bin = 0; bin < m_bins; ++bin) {
            const bool alive = light[bin] > 0 && std::isfinite(light[bin]);
            gain[first + bin] = alive && !bad[bin] ? 1 / light[bin] : noValue;
            dead += !(alive && !bad[bin]);
            outliers += alive && bad[bin];
        }
        return dead;
    }

    // Marks pixels that are dead in either gain as dead in both; returns their number.
    int joinDead(int row)
    {
        int dead = 0;
        for (std::size_t pixel = row * m_bins; pixel < (row + 1) * m_bins; ++pixel) {
            if (std::isnan(m_made.gain[pixel]) || std::isnan(m_made.endGain[pixel]))
                m_made.gain[pixel] = m_made.endGain[pixel] = noValue;
            dead += std::isnan(m_made.gain[pixel]);
        }
        return dead;
    }

    const RawRows& m_raw;
    UnlikeFrames m_leftOut;
    std::size_t m_bins;
    std::string m_way;
    double m_badPixels;
    std::vector<double> m_airs; // per row; only without flats
    std::atomic<long long> m_hits = 0;
    Correction m_made;
};

void applyCorrection(const Correction& correction, const RawRows& raw, LineAtWork& line)
{
    const std::size_t first = line.row * line.values.size();
    const double *dark = correction.dark.data() + first, *gain = correction.gain.data() + first;
    line.deadPixels = correction.deadInRow[line.row];
    if (correction.endGain.empty())
        return correctLine(line, dark, gain);
    // The flat field, and so 1/gain, changes linearly from projection to projection.
    const int projections = raw.scanProjections > 0 ? raw.scanProjections : raw.projections;
    const double late =
        projections > 1 ? static_cast<double>(raw.firstProjection + line.projection) / (projections - 1) : 0;
    thread_local std::vector<double> between;
    between.resize(line.values.size());
    for (std::size_t bin = 0; bin < between.size(); ++bin)
        between[bin] = 1 / ((1 - late) / gain[bin] + late / correction.endGain[first + bin]);
    correctLine(line, dark, between.data());
}

std::vector<Note> flatFieldNotes(const RawRows& raw, const Correction& correction)
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
    if (!correction.endGain.empty())
        notes.push_back("The flat field is interpolated from the first " + std::to_string(raw.flatFrames / 2) +
                        " flat frames to the last ones over the projections.");
    return notes;
}

std::size_t flatFieldBytes(const RowsShape& shape)
{
    // Dark level, flat, gain and end gain; and the sums beside the object.
    return (4 * sizeof(double) * shape.bins + 4 * sizeof(double) * shape.projections) * shape.rows;
}

StepAtWork startFlatField(const StepArguments& arguments)
{
    const auto correction =
        std::make_shared<const Correction>(CorrectionMaker(arguments.raw, arguments.planned).make());
    return {.apply = [correction, &raw = arguments.raw](LineAtWork& line) { applyCorrection(*correction, raw, line); },
            .fetches = true,
            .notes = [correction, &raw = arguments.raw] { return flatFieldNotes(raw, *correction); },
            .describe =
                [correction](LineProgram& program) {
                    program.dark = correction->dark, program.gain = correction->gain;
                    program.deadInRow = correction->deadInRow;
                }};
}

} // namespace

void joinFrames(RawRows& raw, const PlannedStep& flatField)
{
    const std::string way = flatField.way();
    const auto bins = static_cast<std::size_t>(raw.bins);
    const UnlikeFrames unlike = unlikeFramesOf(raw);
    const auto join = [&](Values& frames, int& count, int parts, const std::vector<int>& leftOut) {
        if (count <= parts)
            return;
        Values joined(static_cast<std::size_t>(parts) * raw.rows.count * bins);
        const int part = parts > 1 ? count / 2 : count;
        parallelFor(0, raw.rows.count, [&](int row) {
            for (int k = 0; k < parts; ++k) {
                const RowRange some{k == 0 ? 0 : count - part, part};
                long long hits = 0;
                const std::vector<double> line = way == "median" ? medianRow(frames, some, raw, row)
                                                                 : meanRow(frames, some, leftOut, raw, row, hits);
                std::ranges::copy(line,
                                  joined.begin() + (static_cast<std::ptrdiff_t>(k) * raw.rows.count + row) * raw.bins);
            }
        });
        frames = std::move(joined);
        count = parts;
    };
    join(raw.darks, raw.darkFrames, 1, unlike.darks);
    join(raw.flats, raw.flatFrames, way == "interpolated" ? 2 : 1, unlike.flats);
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
    .onDevices = [](const PlannedStep& planned) { return planned.way() != "interpolated"; },
    .start = startFlatField,
};

} // namespace engine
