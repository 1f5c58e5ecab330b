// Zingers: values much brighter than the median of their neighbours, which X-rays that hit the sensor itself leave.
#include "engine/error.h"
#include "engine/parallel_for.h"
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
constexpr std::array zingerChoices = {
    StepChoice{"off", "Off", "Bright spots stay"},
    StepChoice{"projections", "By other projections", "Against the same bin in the projections before and after"},
    StepChoice{"square", "By neighbours", "Against a square of bins and projections"}};
constexpr std::array zingerParameters = {
    StepParameter{.id = zingersId,
                  .label = "Zingers",
                  .summary = "Bright spots of single projections become the median of their neighbours",
                  .choices = zingerChoices},
    StepParameter{.id = zingerSizeId,
                  .label = "Zinger window",
                  .summary = "Neighbours that a value is compared with, itself among them, along each side",
                  .unit = "values",
                  .form = "K",
                  .isWhole = true,
                  .least = 3,
                  .most = 31,
                  .standard = 3},
    StepParameter{.id = zingerThresholdId,
                  .label = "Zinger brightness",
                  .summary = "How many times the median light a zinger has at least",
                  .unit = "× median",
                  .form = "F",
                  .least = 1,
                  .most = 100,
                  .leastIncluded = false,
                  .step = 0.1,
                  .standard = 1.3}};

constexpr float leastExcess = 0.01F; // of the beam, where transmission is so low that noise is many times its median

// What a detector counts without light, [row][bin], and how much the beam is on average.
struct CountedLight {
    std::vector<float> dark;
    float beam = 1;
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

// The beam is that of the flat fields, or of the projections where there are none.
CountedLight countedLight(const RawRows& raw)
{
    const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
    CountedLight light{std::vector<float>(frame, 0.0F), 1};
    std::vector<float> recorded(static_cast<std::size_t>(raw.darkFrames));
    for (std::size_t pixel = 0; pixel < frame; ++pixel) {
        for (std::size_t k = 0; k < recorded.size(); ++k)
            recorded[k] = raw.darks[k * frame + pixel];
        light.dark[pixel] = static_cast<float>(meanOfFinite(recorded));
    }
    const Values counts = raw.flatFrames > 0 ? raw.flats : raw.data.toFloats();
    light.beam = static_cast<float>(meanOfFinite(counts) - meanOfFinite(light.dark));
    return light;
}

// The sinogram of one row, [projection][bin].
class ZingerSearch
{
  public:
    ZingerSearch(const PlannedStep& planned, Quantity quantity, const RawRows& raw)
        : m_reach(static_cast<int>(planned.value(zingerSizeId)) / 2), m_across(planned.way() == "square" ? m_reach : 0),
          m_factor(static_cast<float>(planned.value(zingerThresholdId))), m_step(std::log(m_factor)),
          m_isLight(quantity != Quantity::attenuation), m_projections(raw.projections), m_bins(raw.bins)
    {
        if (quantity != Quantity::counts)
            return;
        m_counted = countedLight(raw);
        m_least = leastExcess * m_counted.beam;
    }

    // How many there were in this projection; from: the sinogram of a row of those read, to: the projection, as it was.
    int mend(const float* from, int row, int projection, float* to) const
    {
        const float* dark = m_counted.dark.empty() ? nullptr : m_counted.dark.data() + row * std::size_t(m_bins);
        const int first = std::max(0, projection - m_reach), end = std::min(m_projections, projection + m_reach + 1);
        const float* values = line(from, projection);
        std::vector<int> below(static_cast<std::size_t>(m_bins), 0); // neighbours that are that much darker
        for (int p = first; p < end; ++p)
            for (int across = -m_across; across <= m_across; ++across)
                for (int bin = std::max(0, -across); bin < m_bins - std::max(0, across); ++bin)
                    below[bin] +=
                        dark ? isBrighter(values[bin] - dark[bin], line(from, p)[bin + across] - dark[bin + across])
                             : isBrighter(values[bin], line(from, p)[bin + across]);
        int count = 0;
        std::vector<float> window;
        for (int bin = 0; bin < m_bins; ++bin) {
            const int left = std::max(0, bin - m_across), right = std::min(m_bins, bin + m_across + 1);
            if (2 * below[bin] <= (end - first) * (right - left)) // the median isn't among them
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
    bool isBrighter(float value, float than) const // false for NaN
    {
        return m_isLight ? (value > m_factor * than) & (value > than + m_least) : value < than - m_step;
    }

    int m_reach, m_across;
    float m_factor, m_step, m_least = leastExcess;
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
    const auto notes = [found]() -> std::vector<std::string> {
        return {std::to_string(*found) + (*found == 1 ? " zinger became" : " zingers became") +
                " the median of their neighbours."};
    };
    return {.whole = whole, .notes = notes};
}

std::size_t zingerBytes(const RowsShape& shape)
{
    return sizeof(float) * shape.projections * shape.bins; // of one row, as it was
}

std::optional<std::string> objectionToZingers(const PlannedStep& planned, const Preparation&)
{
    if (const auto size = static_cast<int>(planned.value(zingerSizeId)); size % 2 == 0)
        return "--zinger-size " + std::to_string(size) + " has no middle: give an odd number.";
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
