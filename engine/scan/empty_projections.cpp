// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/empty_projections.h"

#include "engine/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace engine
{

namespace
{

// Returns the indices of the projections in the recorded scan.
std::vector<int> recordedPlaces(const Scan& scan, const std::vector<int>& projections)
{
    if (!scan.reduced)
        return projections;
    const std::vector<int> kept = keptProjections(scan.reduced->by, scan.reduced->projections);
    std::vector<int> places;
    for (const int projection : projections)
        places.push_back(kept[static_cast<std::size_t>(projection)]);
    return places;
}

// Numbers of frames, and of pixels: enough to estimate a level and its noise, few enough to be quick.
constexpr int mostDarks = 8, mostLooked = 16;
constexpr std::size_t mostNoisePixels = 1 << 18;
constexpr double darkShare = 0.02; // maximum signal without light, as a share of the light
constexpr double outlying = 5, mostOutlying = 0.01;

double medianOfAll(std::vector<double>& values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Signal of the detector without light. Dark frames drift, and a closed shutter lets zingers through. A frame counts
// as dark if its mean is within the noise of a single value, and hardly any values are outliers.
class DarkLevel
{
  public:
    explicit DarkLevel(const RawRows& raw)
        : m_raw(raw), m_frame(static_cast<std::size_t>(raw.rows.count) * raw.bins), m_level(m_frame)
    {
        const int darks = std::min(raw.darkFrames, mostDarks);
        parallelFor(0, raw.rows.count, [&](int row) {
            const std::size_t first = static_cast<std::size_t>(row) * raw.bins, end = first + raw.bins;
            for (int k = 0; k < darks; ++k)
                for (std::size_t i = first; i < end; ++i)
                    m_level[i] += dark(k, i) / darks;
        });
        findNoise(darks);
        findLight();
    }

    // Returns whether a frame is dark; the first hundredth of its values nearly always decides.
    template <typename Number>
    bool isAll(const Number* values) const
    {
        const auto most = static_cast<std::size_t>(mostOutlying * static_cast<double>(m_frame));
        std::size_t outliers = 0;
        double sum = 0;
        for (std::size_t i = 0; i < m_frame; ++i) {
            const double above = values[i] - m_level[i];
            if (!std::isfinite(above))
                continue;
            if (std::abs(above) <= outlying * m_noise)
                sum += above;
            else if (++outliers > most)
                return false;
        }
        const double mean = sum / static_cast<double>(m_frame);
        return std::abs(mean) <= m_noise && (mean <= darkShare * m_light || m_light <= m_noise / 2);
    }

  private:
    double dark(int frame, std::size_t i) const { return m_raw.darks[frame * m_frame + i]; }

    // Noise of a single value: from differences between dark frames, or between neighbouring pixels if there is only
    // one frame. For integers it is at least 0.5.
    void findNoise(int darks)
    {
        std::vector<double> squares;
        const std::size_t step = std::max<std::size_t>(1, m_frame / mostNoisePixels) | 1; // odd: meets all columns
        if (darks > 1)
            for (std::size_t i = 0; i < m_frame; i += step) {
                double sum = 0;
                for (int k = 0; k < darks; ++k)
                    sum += (dark(k, i) - m_level[i]) * (dark(k, i) - m_level[i]) / (darks - 1);
                if (std::isfinite(sum))
                    squares.push_back(sum);
            }
        else
            for (std::size_t i = 1; i < m_frame; i += step)
                if (const double change = dark(0, i) - dark(0, i - 1); std::isfinite(change))
                    // The variance of a value is half the mean square of these differences. The median of the squares
                    // is 0.455 of their mean, and 0.5/0.455 is 1.1.
                    squares.push_back(1.1 * change * change);
        const bool isWhole = !std::string(m_raw.data.type().name).starts_with("float");
        m_noise = std::max(std::sqrt(medianOfAll(squares)), isWhole ? 0.5 : 0.0);
    }

    // Light of a flat, or of the brightest of some projections.
    void findLight()
    {
        const auto meanAbove = [this](const auto* values) {
            double sum = 0;
            for (std::size_t i = 0; i < m_frame; ++i)
                if (const double above = values[i] - m_level[i]; std::isfinite(above))
                    sum += above;
            return sum / static_cast<double>(m_frame);
        };
        if (m_raw.flatFrames > 0)
            m_light = meanAbove(m_raw.flats.data());
        m_raw.data.visit([&](const auto& numbers) {
            const int looked = m_raw.flatFrames > 0 ? 0 : std::min(m_raw.projections, mostLooked);
            for (int k = 0; k < looked; ++k)
                m_light = std::max(m_light, meanAbove(numbers.data() + static_cast<long long>(k) * m_raw.projections /
                                                                           looked * m_frame));
        });
        m_noise = std::max(m_noise, 1e-6 * m_light);
    }

    const RawRows& m_raw;
    std::size_t m_frame;
    std::vector<double> m_level; // [row][bin]
    double m_noise = 0, m_light = 0;
};

bool zerosAreNothing(const Scan& scan)
{
    const auto* parallel = std::get_if<ParallelBeam>(&scan.geometry);
    return scan.quantity != Quantity::attenuation || (parallel && parallel->shiftRows.empty());
}

// The first value nearly always decides.
template <typename Number>
bool holdNothing(const Number* first, const Number* end, bool zerosToo)
{
    return std::all_of(first, end, [zerosToo](auto number) {
        const auto value = static_cast<float>(number);
        return !std::isfinite(value) || (zerosToo && value == 0);
    });
}

} // namespace

std::vector<int> emptyProjections(const Scan& scan, const RawRows& raw, const std::function<void(int)>& waitFor)
{
    if (waitFor && raw.flatFrames == 0) // DarkLevel looks for light in all projections
        waitFor(raw.projections);
    const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
    const bool zerosToo = zerosAreNothing(scan);
    std::optional<DarkLevel> dark;
    if (scan.quantity == Quantity::counts && raw.darkFrames > 0)
        dark.emplace(raw);
    std::vector<int> empty;
    raw.data.visit([&](const auto& numbers) {
        for (int projection = 0; projection < raw.projections; ++projection) {
            if (waitFor)
                waitFor(projection + 1);
            const auto* const first = numbers.data() + projection * frame;
            if (holdNothing(first, first + frame, zerosToo) || (dark && dark->isAll(first)))
                empty.push_back(raw.firstProjection + projection);
        }
    });
    if (static_cast<int>(empty.size()) == raw.projections && scan.quantity == Quantity::attenuation)
        empty.clear(); // the object doesn't reach these rows, and no projection is empty
    return empty;
}

bool isEmptyProjection(const Scan& scan, std::span<const float> values)
{
    return holdNothing(values.data(), values.data() + values.size(), zerosAreNothing(scan));
}

std::vector<RowRange> recordedRanges(const Scan& scan, const std::vector<int>& projections)
{
    return rangesOf(recordedPlaces(scan, projections));
}

std::vector<RowRange> leftOutWith(const Scan& scan, const std::vector<int>& empty)
{
    return joinedRanges(scan.reduced ? scan.reduced->by.leftOut : std::vector<RowRange>(), recordedRanges(scan, empty));
}

Text spoilingText(const Scan& scan, const std::vector<int>& projections)
{
    const bool one = projections.size() == 1;
    return rangesInWords(recordedRanges(scan, projections)) + ", counted from 0. " +
           (one ? "It spoils" : "They spoil") + " every slice; leave " + (one ? "it" : "them") + " out" +
           hint("leave-out", rangesToText(leftOutWith(scan, projections))) + ".";
}

Text emptyText(const Scan& scan, const std::vector<int>& empty)
{
    if (empty.empty() || scan.axesLookExchanged()) // then bins of air look like empty projections
        return {};
    const std::string nothing = scan.quantity == Quantity::counts && scan.darkFrames > 0
                                    ? " empty (at the level of the dark frames, 0 or not a number)"
                                    : " empty (0 or not a number)";
    if (static_cast<int>(empty.size()) == scan.projections())
        return "All " + std::to_string(empty.size()) + " projections are" + nothing +
               " in the rows that were read: their slices show nothing. Check that these are the scan's projections "
               "and that the shutter was open.";
    return std::to_string(empty.size()) + " of " + std::to_string(scan.projections()) + " projections " +
           (empty.size() == 1 ? "is" : "are") + nothing + ": " + spoilingText(scan, empty);
}

} // namespace engine
