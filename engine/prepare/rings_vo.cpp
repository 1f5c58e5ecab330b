// SPDX-License-Identifier: GPL-3.0-or-later
// Vo 2018: stripes are bins that vary along the projections in another way than their neighbours. Comments name the
// algorithms by their numbers.
#include "engine/prepare/rings.h"

#include "engine/base/parallel_for.h"
#include "engine/filter/transform.h"
#include "engine/prepare/median.h"
#include "engine/prepare/ring_columns.h"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numeric>

namespace engine
{

namespace
{

// Mean of each bin over a range of lines.
std::vector<double> meanOfLines(const float* values, int bins, int first, int end)
{
    std::vector<double> mean(static_cast<std::size_t>(bins), 0.0);
    parallelFor(tbb::blocked_range<int>(0, bins, 256), [&](const tbb::blocked_range<int>& some) {
        for (int p = first; p < end; ++p)
            for (int bin = some.begin(); bin < some.end(); ++bin)
                mean[bin] += values[static_cast<std::size_t>(p) * bins + bin];
    });
    for (double& one : mean)
        one /= std::max(1, end - first);
    return mean;
}

// Blurs a row with a Gaussian (standard deviation in samples), cut off at four standard deviations, mirrored at the
// ends.
std::vector<double> blurredRow(const std::vector<double>& row, double deviation)
{
    const int count = static_cast<int>(row.size()), reach = static_cast<int>(std::ceil(4 * deviation));
    std::vector<double> weights, made(row.size(), 0.0);
    double sum = 0;
    for (int k = -reach; k <= reach; ++k)
        sum += weights.emplace_back(std::exp(-k * k / (2 * deviation * deviation)));
    for (int k = 0; k < count; ++k)
        for (int i = -reach; i <= reach; ++i)
            made[k] += weights[i + reach] / sum * row[MovingMedian::mirrored(k + i, count)];
    return made;
}

// Polynomials of orders 0 to `order` that are orthonormal on `count` equal steps.
std::vector<std::vector<double>> polynomials(int count, int order)
{
    std::vector<std::vector<double>> all;
    for (int n = 0; n <= std::min(order, count - 1); ++n) {
        std::vector<double> one(static_cast<std::size_t>(count));
        for (int k = 0; k < count; ++k) // the previous polynomial times x: better conditioned than powers of x
            one[k] = n == 0 ? 1 : all.back()[k] * (2.0 * k / std::max(1, count - 1) - 1);
        for (int again = 0; again < 2; ++again)
            for (const auto& other : all) {
                const double along = std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
                std::transform(one.begin(), one.end(), other.begin(), one.begin(),
                               [along](double a, double b) { return a - along * b; });
            }
        const double norm = std::sqrt(std::inner_product(one.begin(), one.end(), one.begin(), 0.0));
        for (double& value : one)
            value /= norm;
        all.push_back(std::move(one));
    }
    return all;
}

// Low-pass filter exp(−f²/2σ²) along the projections, f in cycles per scan, of two columns simultaneously: as the
// real and imaginary parts of one transform.
class SlowPart
{
  public:
    SlowPart(int projections, double cycles)
        : m_projections(projections), m_padding(std::min(projections, 150)),
          m_length(std::bit_ceil(static_cast<unsigned>(projections + 2 * m_padding))),
          m_transform(&Transform<float>::of(m_length, 1))
    {
        for (int k = 0; k < m_length; ++k) {
            const double f = static_cast<double>(std::min(k, m_length - k)) * projections / m_length;
            m_window.push_back(static_cast<float>(std::exp(-f * f / (2 * cycles * cycles)) / m_length));
        }
    }

    int length() const { return m_length; }

    void run(const float* a, const float* b, TransformRow<float>& row, float* slowA, float* slowB) const
    {
        std::complex<float>* z = row.data();
        for (int k = 0; k < m_length; ++k) { // mirrored at both ends, over the whole padding
            const int from = k < m_projections + (m_length - m_projections) / 2 ? k : k - m_length;
            const int p = MovingMedian::mirrored(from, m_projections);
            z[k] = {a[p], b[p]};
        }
        m_transform->forward(row);
        for (int k = 0; k < m_length; ++k)
            z[k] *= m_window[k];
        m_transform->backward(row);
        for (int p = 0; p < m_projections; ++p)
            slowA[p] = z[p].real(), slowB[p] = z[p].imag();
    }

  private:
    int m_projections, m_padding, m_length;
    const Transform<float>* m_transform;
    std::vector<float> m_window;
};

int countOf(const std::vector<char>& chosen)
{
    return static_cast<int>(std::ranges::count_if(chosen, [](char one) { return one != 0; }));
}

// Sum of each bin's absolute deviations from the running mean of ten projections.
std::vector<double> restlessness(const SinogramPlane& sinogram)
{
    std::vector<double> all(static_cast<std::size_t>(sinogram.bins));
    forEachColumns(sinogram, [&](Columns& columns) {
        const int count = sinogram.projections;
        for (int k = 0; k < columns.count; ++k) {
            const float* column = columns.column(k);
            const auto at = [&](int p) { return static_cast<double>(column[MovingMedian::mirrored(p, count)]); };
            double window = 0, sum = 0;
            for (int p = -5; p < 5; ++p)
                window += at(p);
            for (int p = 0; p < count; ++p) {
                sum += std::abs(column[p] - window / 10);
                window += at(p + 5) - at(p - 5);
            }
            all[columns.first + k] = sum;
        }
    });
    return all;
}

// Replaces the chosen bins by linear interpolation between the nearest other bins.
void bridge(const SinogramPlane& sinogram, const std::vector<char>& chosen)
{
    parallelFor(0, sinogram.projections, [&](int p) {
        float* line = sinogram.line(p);
        for (int bin = 0; bin < sinogram.bins; ++bin) {
            if (!chosen[bin])
                continue;
            int end = bin;
            while (end < sinogram.bins && chosen[end])
                ++end;
            const float before = bin > 0 ? line[bin - 1] : end < sinogram.bins ? line[end] : 0.0F;
            const float after = end < sinogram.bins ? line[end] : before;
            for (int k = bin; k < end; ++k)
                line[k] =
                    before + (after - before) * static_cast<float>(k - bin + 1) / static_cast<float>(end - bin + 1);
            bin = end;
        }
    });
}

// Algorithm 5 on sorted values: replaces the values of large stripes by the median across the bins at the same rank.
// Returns which bins.
std::vector<char> smoothLarge(Sorted& inOrder, const SinogramPlane& like, const RingValues& values)
{
    const Values smooth = medianAcross(inOrder.plane(like), values.largeSize);
    const int dropped = like.projections / 20; // at each end: a tenth in all, as in the paper
    const std::vector<double> mean = meanOfLines(inOrder.values.data(), like.bins, dropped, like.projections - dropped);
    const std::vector<double> expected = meanOfLines(smooth.data(), like.bins, dropped, like.projections - dropped);
    std::vector<double> stripes(mean.size());
    std::ranges::transform(mean, expected, stripes.begin(), std::minus());
    std::vector<char> found = findStripes(stripes, values.snr);
    for (std::size_t k = 0; k < smooth.size(); ++k)
        if (found[k % found.size()])
            inOrder.values[k] = smooth[k];
    return found;
}

// Algorithm 6 without the removal of large stripes that follows; returns the number of bins changed.
int bridgeDead(const SinogramPlane& sinogram, const RingValues& values)
{
    const std::vector<double> restless = restlessness(sinogram);
    std::vector<float> one(restless.begin(), restless.end()), background(restless.size());
    MovingMedian(values.largeSize).run(one, background.data());
    const double mean = std::accumulate(restless.begin(), restless.end(), 0.0) / static_cast<double>(restless.size());
    std::vector<double> share(restless.size());
    for (std::size_t bin = 0; bin < share.size(); ++bin)
        share[bin] = restless[bin] / (background[bin] > 0 ? background[bin] : mean > 0 ? mean : 1);
    // Without noise, bins at the edges of an object exceed the background by 0.1 to 0.25 times the background
    // (Shepp-Logan, 256 and 512 bins), dead and fluctuating bins differ from it by nearly its full value or more. The
    // noise of two real scans is larger: 0.12 to 0.14.
    constexpr double leastNoise = 0.1;
    std::vector<char> found = findStripes(share, values.snr, leastNoise);
    for (std::size_t k = 0; k < std::min<std::size_t>(2, found.size()); ++k)
        found[k] = found[found.size() - 1 - k] = 0;
    const int count = countOf(found);
    if (count > 0)
        bridge(sinogram, found);
    return count;
}

} // namespace

std::vector<char> findStripes(std::span<const double> row, double snr, double leastNoise)
{
    const int count = static_cast<int>(row.size());
    std::vector<double> ordered(row.begin(), row.end());
    std::ranges::sort(ordered);
    // A line fitted to the middle half of the sorted values estimates the range of the values without stripes.
    const int first = count / 4, end = count - count / 4;
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int k = first; k < end; ++k)
        x += k, y += ordered[k];
    const int inside = std::max(1, end - first);
    x /= inside, y /= inside;
    for (int k = first; k < end; ++k)
        xx += (k - x) * (k - x), xy += (k - x) * (ordered[k] - y);
    const double slope = xx > 0 ? xy / xx : 0;
    const double low = y - slope * x, high = y + slope * (count - 1 - x),
                 noise = std::max(leastNoise, std::abs(high - low));
    std::vector<char> found(row.size(), 0);
    if (count < 4 || noise == 0)
        return found;
    const bool hasLow = low - ordered.front() >= snr * noise, hasHigh = ordered.back() - high >= snr * noise;
    for (int k = 0; k < count; ++k)
        found[k] = static_cast<char>((hasLow && row[k] < low - snr * noise / 2) ||
                                     (hasHigh && row[k] > high + snr * noise / 2));
    std::vector<char> wide = found;
    for (int k = 0; k < count; ++k)
        wide[k] = static_cast<char>(found[k] || (k > 0 && found[k - 1]) || (k + 1 < count && found[k + 1]));
    return wide;
}

void removeByFitting(const SinogramPlane& sinogram, const RingValues& values)
{
    const auto basis = polynomials(sinogram.projections, values.order);
    const int orders = static_cast<int>(basis.size());
    std::vector<std::vector<double>> rough(basis.size(), std::vector<double>(static_cast<std::size_t>(sinogram.bins)));
    forEachColumns(sinogram, [&](Columns& columns) {
        for (int k = 0; k < columns.count; ++k)
            for (int n = 0; n < orders; ++n)
                rough[n][columns.first + k] =
                    std::inner_product(basis[n].begin(), basis[n].end(), columns.column(k), 0.0);
    });
    for (auto& coefficients : rough) {
        // The size is the full width at half maximum of the Gaussian.
        const std::vector<double> smooth = blurredRow(coefficients, values.size / 2.354820045);
        std::ranges::transform(coefficients, smooth, coefficients.begin(), std::minus());
    }
    parallelFor(0, sinogram.projections, [&](int p) {
        float* line = sinogram.line(p);
        for (int bin = 0; bin < sinogram.bins; ++bin) {
            double stripe = 0;
            for (int n = 0; n < orders; ++n)
                stripe += basis[n][p] * rough[n][bin];
            line[bin] -= static_cast<float>(stripe);
        }
    });
}

void removeBySorting(const SinogramPlane& sinogram, const RingValues& values)
{
    Sorted inOrder = sorted(sinogram);
    putBack(medianAcross(inOrder.plane(sinogram), values.size), inOrder, {}, sinogram);
}

void removeByFiltering(const SinogramPlane& sinogram, const RingValues& values)
{
    const SlowPart slowPart(sinogram.projections, values.cycles);
    Values slowValues(sinogram.size());
    const SinogramPlane slow{slowValues.data(), sinogram.projections, sinogram.bins};
    tbb::enumerable_thread_specific<TransformRow<float>> rows([&] { return TransformRow<float>(slowPart.length()); });
    forEachColumns(sinogram, [&](Columns& columns) {
        for (int k = 0; k < columns.count; k += 2) {
            const int other = std::min(k + 1, columns.count - 1);
            slowPart.run(columns.column(k), columns.column(other), rows.local(), columns.column(k),
                         columns.column(other));
        }
        storeColumns(columns, slow);
    });
    const auto add = [&](float sign) {
        parallelFor(0, sinogram.projections, [&](int p) {
            for (int bin = 0; bin < sinogram.bins; ++bin)
                sinogram.line(p)[bin] += sign * slow.line(p)[bin];
        });
    };
    add(-1);
    removeBySorting(slow, values);
    add(1);
}

int removeLarge(const SinogramPlane& sinogram, const RingValues& values)
{
    Sorted inOrder = sorted(sinogram);
    const std::vector<char> found = smoothLarge(inOrder, sinogram, values);
    const int count = countOf(found);
    if (count > 0)
        putBack(inOrder.values, inOrder, found, sinogram);
    return count;
}

int removeDead(const SinogramPlane& sinogram, const RingValues& values)
{
    const int dead = bridgeDead(sinogram, values);
    return dead + removeLarge(sinogram, values); // interpolation leaves large stripes at the ends of the gaps
}

int removeAll(const SinogramPlane& sinogram, const RingValues& values)
{
    const int dead = bridgeDead(sinogram, values);
    Sorted inOrder = sorted(sinogram); // stays sorted: medians across sorted columns are sorted
    const int large = countOf(smoothLarge(inOrder, sinogram, values));
    putBack(medianAcross(inOrder.plane(sinogram), values.size), inOrder, {}, sinogram);
    return std::max(1, dead + large);
}

} // namespace engine
