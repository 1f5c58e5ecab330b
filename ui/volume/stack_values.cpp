// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/stack_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ui
{

namespace
{

constexpr int bins = 256;
constexpr double explainedByTwo = 0.9; // share of the variance: the values form two classes

struct Thresholds {
    double lower = 0, upper = 0; // first bin of the second and of the third class; may be halves
    double explained = 0;        // share of the variance that lies between the classes
};

// Counts of values with sums over ranges of bins.
class ClassSums
{
  public:
    ClassSums(const std::vector<float>& sample, double low, double high)
    {
        const double scale = (bins - 1) / (high - low);
        std::array<double, bins> counts{};
        for (const float value : sample)
            counts[static_cast<int>(std::clamp((value - low) * scale, 0.0, bins - 1.0))] += 1;
        for (int i = 0; i < bins; ++i) {
            m_count[i + 1] = m_count[i] + counts[i];
            m_sum[i + 1] = m_sum[i] + i * counts[i];
            m_squares += static_cast<double>(i) * i * counts[i];
        }
    }

    // Returns the count of the class times its squared mean: the part of the sum of squares that its mean explains.
    double explained(int begin, int end) const
    {
        const double count = m_count[end] - m_count[begin], sum = m_sum[end] - m_sum[begin];
        return count > 0 ? sum * sum / count : 0;
    }
    double share(double explained) const
    {
        const double all = this->explained(0, bins);
        return m_squares > all ? (explained - all) / (m_squares - all) : 1;
    }
    bool isEmpty(int begin, int end) const { return m_count[end] == m_count[begin]; }

  private:
    std::array<double, bins + 1> m_count{}, m_sum{};
    double m_squares = 0;
};

// Returns the middle of the gap of empty bins that begins at this bin, if there is one.
double middleOfGap(const ClassSums& sums, int bin)
{
    int end = bin;
    while (end < bins && sums.isEmpty(bin, end + 1))
        ++end;
    return (bin + end) / 2.0;
}

// Returns the threshold that separates the bins from `begin` on into two classes best, or their middle if they form
// one class.
Thresholds twoClasses(const ClassSums& sums, int begin)
{
    double best = -1;
    double middle = (begin + bins) / 2.0;
    for (int at = begin + 1; at < bins; ++at) {
        if (sums.isEmpty(begin, at) || sums.isEmpty(at, bins))
            continue;
        const double explained = sums.explained(begin, at) + sums.explained(at, bins);
        if (explained > best * (1 + 1e-12)) {
            best = explained;
            middle = middleOfGap(sums, at);
        }
    }
    return {middle, middle, best < 0 ? 1 : sums.share(best + sums.explained(0, begin))};
}

// Returns the thresholds that separate all bins into three classes best.
Thresholds threeClasses(const ClassSums& sums)
{
    double best = -1;
    Thresholds result;
    for (int lower = 1; lower + 1 < bins; ++lower)
        for (int upper = lower + 1; upper < bins; ++upper) {
            if (sums.isEmpty(0, lower) || sums.isEmpty(lower, upper) || sums.isEmpty(upper, bins))
                continue;
            const double explained =
                sums.explained(0, lower) + sums.explained(lower, upper) + sums.explained(upper, bins);
            if (explained > best * (1 + 1e-12)) {
                best = explained;
                result = {middleOfGap(sums, lower), middleOfGap(sums, upper), sums.share(explained)};
            }
        }
    return best < 0 ? twoClasses(sums, 0) : result;
}

// Sets the thresholds between background, soft and dense parts.
void setThresholds(StackValues& range, const std::vector<float>& sample)
{
    const ClassSums sums(sample, range.low, range.high);
    Thresholds found = twoClasses(sums, 0);
    if (found.explained >= explainedByTwo)
        found.upper = twoClasses(sums, std::min(static_cast<int>(found.lower), bins - 1)).lower;
    else
        found = threeClasses(sums);
    const double width = (range.high - range.low) / (bins - 1);
    range.threshold = range.low + found.lower * width;
    range.dense = range.low + found.upper * width;
}

// Returns the numbers of values in 256 bins between `least` and `most`; values outside count in the bins at the ends.
std::vector<int> countsOf(const std::vector<float>& sample, double least, double most)
{
    std::vector<int> counts(bins);
    const double scale = static_cast<double>(counts.size()) / (most - least);
    for (const float value : sample)
        ++counts[static_cast<std::size_t>(std::clamp((value - least) * scale, 0.0, counts.size() - 1.0))];
    return counts;
}

} // namespace

StackValues stackValuesOf(std::span<const float> values)
{
    constexpr std::size_t wanted = 200000;
    const std::size_t step = std::max<std::size_t>(1, values.size() / wanted);
    std::vector<float> sample;
    sample.reserve(values.size() / step + 1);
    // An odd stride avoids interference with the rows of an image of even width.
    for (std::size_t i = 0; i < values.size(); i += step | 1)
        if (std::isfinite(values[i]))
            sample.push_back(values[i]);
    if (sample.empty())
        return {};
    const auto at = [&sample](double part) {
        const auto position = sample.begin() + static_cast<std::ptrdiff_t>(part * (sample.size() - 1));
        std::nth_element(sample.begin(), position, sample.end());
        return static_cast<double>(*position);
    };
    StackValues range;
    range.low = at(0.005);
    range.high = at(0.995);
    if (!(range.high > range.low)) { // constant, or nearly: take all values
        range.low = at(0);
        range.high = at(1);
    }
    if (!(range.high > range.low))
        range.high = range.low + std::max(std::abs(range.low), 1e-6);
    setThresholds(range, sample);
    const double width = range.high - range.low;
    // A little more than the range, so that rare dense parts are in it, but not single outliers.
    range.least = std::max(at(0), range.low - width / 4) - width / 50;
    range.most = std::min(at(1), range.high + width) + width / 50;
    range.counts = countsOf(sample, range.least, range.most);
    return range;
}

} // namespace ui
