// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/prepare/noise.h"

#include "engine/base/parallel_for.h"
#include "engine/prepare/median.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace engine
{

namespace
{

constexpr int blockBins = 32, blockProjections = 16;
constexpr double medianOfNormal = 0.6744897501960817; // of |x| for a standard deviation of 1

// A random sign that is the same in each run.
double signOf(std::size_t projection)
{
    std::uint64_t bits = (projection + 1) * 0x9e3779b97f4a7c15ULL; // splitmix64 (Steele et al. 2014)
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebULL;
    return bits >> 63 != 0 ? 1 : -1;
}

} // namespace

Sinograms noiseOf(const Sinograms& prepared, const std::vector<double>& anglesRad)
{
    const int projections = prepared.projections, bins = prepared.bins;
    std::vector<std::size_t> order(anglesRad.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return anglesRad[k]; });
    Sinograms noise = prepared;
    const auto lineOf = [&](Values& values, int slice, int place) {
        return values.data() + (static_cast<std::size_t>(slice) * projections + order[place]) * bins;
    };
    const auto recorded = [&](int slice, int place) {
        return prepared.values.data() + (static_cast<std::size_t>(slice) * projections + order[place]) * bins;
    };
    const auto blocks = [](int count, int size) { return (count + size - 1) / size; };
    const int perSlice = blocks(projections, blockProjections);
    parallelFor(tbb::blocked_range<int>(0, prepared.slices * perSlice, 1), [&](const tbb::blocked_range<int>& some) {
        std::vector<double> seconds;
        for (int one = some.begin(); one < some.end(); ++one) {
            const int slice = one / perSlice, first = one % perSlice * blockProjections;
            const int last = std::min(first + blockProjections, projections);
            for (int left = 0; left < bins; left += blockBins) {
                const int right = std::min(left + blockBins, bins);
                double squares = 0;
                seconds.clear();
                for (int place = first; place < last; ++place) {
                    const int middle = std::clamp(place, 1, projections - 2);
                    const float *before = recorded(slice, middle - 1), *here = recorded(slice, middle),
                                *after = recorded(slice, middle + 1);
                    float* line = lineOf(noise.values, slice, place);
                    const double sign = signOf(order[place]);
                    for (int bin = left; bin < right; ++bin) {
                        const auto across = [&](int at) {
                            return here[at] - (static_cast<double>(before[at]) + after[at]) / 2;
                        };
                        const double difference = across(bin);
                        line[bin] = static_cast<float>(sign * difference);
                        squares += difference * difference;
                        if (bin > 0 && bin + 1 < bins)
                            seconds.push_back(std::abs(difference - (across(bin - 1) + across(bin + 1)) / 2));
                    }
                }
                // Variances: of a difference 3/2, of a second difference 9/4, as multiples of the noise's.
                const double rms = std::sqrt(squares / (static_cast<double>(last - first) * (right - left)));
                const double sigma = seconds.empty() ? 0 : medianOf(seconds) / medianOfNormal / 1.5;
                const double factor = rms > 0 ? sigma / rms : 0;
                for (int place = first; place < last; ++place)
                    for (int bin = left; bin < right; ++bin)
                        lineOf(noise.values, slice, place)[bin] *= static_cast<float>(factor);
            }
        }
    });
    return noise;
}

} // namespace engine
