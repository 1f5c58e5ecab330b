// SPDX-License-Identifier: GPL-3.0-or-later
// Zingers: values much brighter than the median of their neighbours, caused by X-rays that hit the sensor directly.
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/prepare/median.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace engine
{

namespace
{

constexpr const char *zingersId = "zingers", *zingerSizeId = "zinger-size", *zingerThresholdId = "zinger-threshold";
std::span<const StepField> zingerParameters()
{
    static const std::vector<StepField> fields =
        stepFields({{.id = zingersId,
                     .label = "Zingers",
                     .summary = "Replaces bright spots of single projections by the median of their neighbours",
                     .kind = FieldKind::choice,
                     .choices = {{"off", "Off", "Bright spots stay"},
                                 {"projections", "By other projections",
                                  "Compared with the same bin in the projections before and after"},
                                 {"square", "By neighbours", "Compared with a square of bins and projections"}}},
                    {.id = zingerSizeId,
                     .label = "Zinger window",
                     .summary = "Side of the neighbourhood that a value is compared with, the value included",
                     .unit = "values",
                     .form = "K",
                     .kind = FieldKind::whole,
                     .least = 3,
                     .most = 31,
                     .use = {.standard = 3}},
                    {.id = zingerThresholdId,
                     .label = "Zinger brightness",
                     .summary = "Minimum brightness of a zinger, × local median",
                     .unit = "× median",
                     .form = "F",
                     .kind = FieldKind::real,
                     .least = 1,
                     .most = 100,
                     .leastIncluded = false,
                     .step = 0.1,
                     .use = {.standard = 1.3}}});
    return fields;
}

// Minimum excess of a zinger, as a share of the beam: at very low transmission, noise is many times the median.
constexpr float leastExcess = 0.01F;

// Dark level, [row][bin], and the mean counts of the full beam above it, per row.
struct CountedLight {
    std::vector<float> dark;
    std::vector<double> beam;
};

double meanOfFinite(std::span<const float> values)
{
    double sum = 0, count = 0;
    for (const float value : values)
        if (std::isfinite(value)) {
            sum += value;
            ++count;
        }
    return count > 0 ? sum / count : 0;
}

// Collects one row of all frames, [frame][bin], from frames of [frame][row][bin].
std::vector<float> rowOfFrames(const Values& frames, int count, const RawRows& raw, int row)
{
    std::vector<float> values;
    for (int frame = 0; frame < count; ++frame) {
        const auto from = frames.begin() + (static_cast<std::ptrdiff_t>(frame) * raw.rows.count + row) *
                                               static_cast<std::ptrdiff_t>(raw.bins);
        values.insert(values.end(), from, from + raw.bins);
    }
    return values;
}

// Measures the beam from the flat fields, or from the projections if there are no flats. Each row is measured
// separately, so that its result doesn't depend on the other rows read.
CountedLight countedLight(const RawRows& raw)
{
    const auto bins = static_cast<std::size_t>(raw.bins);
    const Values recorded = raw.flatFrames > 0 ? Values() : raw.data.toFloats();
    CountedLight light;
    for (int row = 0; row < raw.rows.count; ++row) {
        const std::vector<float> darks = rowOfFrames(raw.darks, raw.darkFrames, raw, row);
        for (std::size_t bin = 0; bin < bins; ++bin) {
            std::vector<float> frames;
            for (std::size_t k = bin; k < darks.size(); k += bins)
                frames.push_back(darks[k]);
            light.dark.push_back(static_cast<float>(meanOfFinite(frames)));
        }
        const std::vector<float> lit = raw.flatFrames > 0 ? rowOfFrames(raw.flats, raw.flatFrames, raw, row)
                                                          : rowOfFrames(recorded, raw.projections, raw, row);
        light.beam.push_back(meanOfFinite(lit) - meanOfFinite(std::span(light.dark).last(bins)));
    }
    return light;
}

// Search for zingers in the sinogram of one row, [projection][bin].
class ZingerSearch
{
  public:
    ZingerSearch(const PlannedStep& planned, Quantity quantity, const RawRows& raw)
        : m_reach(static_cast<int>(planned.value(zingerSizeId)) / 2), m_across(planned.way() == "square" ? m_reach : 0),
          m_factor(static_cast<float>(planned.value(zingerThresholdId))), m_step(std::log(m_factor)),
          m_isLight(quantity != Quantity::attenuation), m_projections(raw.projections), m_bins(raw.bins)
    {
        if (quantity == Quantity::counts)
            m_counted = countedLight(raw);
    }

    // Replaces the zingers of one projection and returns their number. from: unchanged sinogram of the row, which is
    // counted from the first row read; to: the projection, initially unchanged too.
    int mend(const float* from, int row, int projection, float* to) const
    {
        const float least =
            m_counted.beam.empty() ? leastExcess : static_cast<float>(leastExcess * m_counted.beam[row]);
        const float* dark = m_counted.dark.empty() ? nullptr : m_counted.dark.data() + row * std::size_t(m_bins);
        // The window has its full size at the ends of the scan too: in a smaller one, the neighbours of a zinger
        // would not be the majority.
        const int first = std::clamp(projection - m_reach, 0, std::max(0, m_projections - 2 * m_reach - 1));
        const int end = std::min(m_projections, first + 2 * m_reach + 1);
        const float* values = line(from, projection);
        std::vector<int> below(static_cast<std::size_t>(m_bins), 0); // number of sufficiently darker neighbours
        for (int p = first; p < end; ++p)
            for (int across = -m_across; across <= m_across; ++across)
                for (int bin = std::max(0, -across); bin < m_bins - std::max(0, across); ++bin)
                    below[bin] += dark ? isBrighter(values[bin] - dark[bin],
                                                    line(from, p)[bin + across] - dark[bin + across], least)
                                       : isBrighter(values[bin], line(from, p)[bin + across], least);
        int count = 0;
        std::vector<float> window;
        for (int bin = 0; bin < m_bins; ++bin) {
            const int left = std::max(0, bin - m_across), right = std::min(m_bins, bin + m_across + 1);
            if (2 * below[bin] <= (end - first) * (right - left)) // the median is not dark enough
                continue;
            window.clear();
            for (int p = first; p < end; ++p)
                std::copy_if(line(from, p) + left, line(from, p) + right, std::back_inserter(window),
                             [](float value) { return std::isfinite(value); });
            to[bin] = static_cast<float>(medianOf(window));
            ++count;
        }
        return count;
    }

  private:
    const float* line(const float* from, int projection) const
    {
        return from + static_cast<std::size_t>(projection) * m_bins;
    }
    bool isBrighter(float value, float than, float least) const // false for NaN
    {
        return m_isLight ? (value > m_factor * than) & (value > than + least) : value < than - m_step;
    }

    int m_reach, m_across;
    float m_factor, m_step;
    bool m_isLight; // else attenuation
    CountedLight m_counted;
    int m_projections, m_bins;
};

StepAtWork startZingers(const StepArguments& arguments)
{
    const auto found = std::make_shared<std::atomic<long long>>(0);
    const ZingerSearch search(arguments.planned, arguments.quantity, arguments.raw);
    const auto whole = [search, found](const RowsAtWork& work) {
        const std::size_t size = static_cast<std::size_t>(work.sinograms.projections) * work.sinograms.bins;
        Values before(size);
        for (int row = work.kept.first; row < work.kept.first + work.kept.count; ++row) {
            throwIfStopped(work.stop);
            float* values = work.sinograms.values.data() + row * size;
            std::copy_n(values, size, before.data());
            parallelFor(0, work.sinograms.projections, [&](int projection) {
                *found += search.mend(before.data(), row, projection,
                                      values + static_cast<std::size_t>(projection) * work.sinograms.bins);
            });
        }
    };
    const auto notes = [found]() -> std::vector<Note> {
        return {{"zingers", *found, "zinger was", "zingers were", " replaced by the median of their neighbours."}};
    };
    return {.whole = whole, .notes = notes};
}

std::size_t zingerBytes(const RowsShape& shape)
{
    return sizeof(float) * shape.projections * shape.bins; // copy of one row
}

std::optional<Text> objectionToZingers(const PlannedStep& planned, const Preparation&)
{
    if (const auto size = static_cast<int>(planned.value(zingerSizeId)); size % 2 == 0)
        return optionName("zinger-size") + " " + std::to_string(size) + " is even: give an odd number.";
    return {};
}

} // namespace

extern constinit const Step zingersStep{
    .id = "zingers",
    .label = "Zingers",
    .summary = "Replaces bright spots of single projections by the median of their neighbours.",
    .reference = "Rivers, Tutorial introduction to X-ray computed microtomography data processing, 1998, section "
                 "Preprocessing",
    .isByDefault = false,
    .takesAllProjections = true,
    .parameters = zingerParameters,
    .objection = objectionToZingers,
    .bytes = zingerBytes,
    .start = startZingers,
};

} // namespace engine
