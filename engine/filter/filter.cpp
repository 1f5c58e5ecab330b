// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/filter/filter.h"

#include "engine/base/error.h"
#include "engine/base/less_memory.h"
#include "engine/base/parallel_for.h"
#include "engine/filter/cylinder.h"
#include "engine/filter/transform.h"
#include "engine/filter/windows.h"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <new>
#include <numbers>
#include <string>
#include <utility>

namespace engine
{

namespace
{

// Returns the window's factor at frequency f in cycles per sample (Nyquist: 0.5).
double windowAt(const FilterSettings& settings, double f)
{
    const FilterWindow& window = filterWindow(settings.window);
    return window.endsAtCutoff && f > settings.cutoff / 2 ? 0 : window.gain(f, settings.cutoff, settings.order);
}

void checkSettings(const FilterSettings& settings)
{
    if (!(settings.cutoff > 0 && settings.cutoff <= 1))
        throw Error(ErrorKind::badRequest, "filter cut-off " + std::to_string(settings.cutoff) +
                                               " is not a fraction of Nyquist; give a number above 0 and up to 1");
    if (filterWindow(settings.window).hasOrder && (settings.order < 1 || settings.order > FilterSettings::mostOrder))
        throw Error(ErrorKind::badRequest, "Butterworth order " + std::to_string(settings.order) +
                                               " is not between 1 and " + std::to_string(FilterSettings::mostOrder));
}

// Continues a row, which is already in `out`, as the pad mode specifies. Because the convolution is circular, the end
// of the padding lies left of bin 0: the first half of the padding continues the last bin, the second half the first
// bin.
template <typename Real>
void continueRow(int count, int padded, PadMode mode, Real* out)
{
    if (mode == PadMode::zero) {
        std::fill(out + count, out + padded, Real(0));
        return;
    }
    const int middle = count + (padded - count) / 2;
    if (mode == PadMode::cylinder) {
        const auto right = Cylinder<Real>::at(out + count - 1, -1, count, middle - count);
        const auto left = Cylinder<Real>::at(out, 1, count, padded - middle);
        for (int k = count; k < middle; ++k)
            out[k] = right(k - count + 1);
        for (int k = middle; k < padded; ++k)
            out[k] = left(padded - k);
        return;
    }
    std::fill(out + count, out + middle, out[count - 1]);
    std::fill(out + middle, out + padded, out[0]);
}

// Filter of one row of N real samples by complex transforms of length M = N/2. This is as fast as one transform of
// two rows, in which a NaN would spread to the other row. The samples are read as complex numbers without being
// moved, z[n] = x[2n] + i·x[2n+1]. With E and O the transforms of the even and of the odd samples, W = exp(−2πi/N):
//   Z[k] = E[k] + i·O[k], X[k] = E[k] + W^k·O[k], conj X[M−k] = E[k] − W^k·O[k].
// So each pair k, M−k gives two values of X. They are multiplied by the response and converted back in the same way.
template <typename Real>
class RowFilter
{
  public:
    // response: [padded/2 + 1], at frequencies 0 to Nyquist.
    explicit RowFilter(const std::vector<double>& response)
        : m_half(static_cast<int>(response.size()) - 1), m_low(m_half / 2 + 1), m_high(m_half / 2 + 1),
          m_twiddle(m_half / 2 + 1)
    {
        const double scale = 0.25 / m_half; // FFTW doesn't normalise, and the pairs below omit their factors ½
        for (int k = 0; k <= m_half / 2; ++k) {
            m_low[k] = static_cast<Real>(scale * response[k]);
            m_high[k] = static_cast<Real>(scale * response[m_half - k]);
            const double angle = std::numbers::pi * k / m_half;
            m_twiddle[k] = {static_cast<Real>(-std::sin(angle)), static_cast<Real>(-std::cos(angle))}; // −i·W^k
        }
    }

    // Applies the response between the two transforms.
    void apply(std::complex<Real>* z) const
    {
        const Real low = 2 * m_low[0] * (z[0].real() + z[0].imag());
        const Real high = 2 * m_high[0] * (z[0].real() - z[0].imag());
        z[0] = {low + high, low - high};
        for (int k = 1; k <= m_half / 2; ++k) {
            const Real zr = z[k].real(), zi = z[k].imag(), yr = z[m_half - k].real(), yi = z[m_half - k].imag();
            const Real vr = m_twiddle[k].real(), vi = m_twiddle[k].imag();
            const Real evenR = zr + yr, evenI = zi - yi, oddR = zr - yr, oddI = zi + yi; // 2·E, 2i·O
            const Real turnedR = vr * oddR - vi * oddI, turnedI = vr * oddI + vi * oddR; // 2·W^k·O
            const Real lowR = m_low[k] * (evenR + turnedR), lowI = m_low[k] * (evenI + turnedI);
            const Real highR = m_high[k] * (evenR - turnedR), highI = m_high[k] * (evenI - turnedI);
            const Real sumR = lowR + highR, sumI = lowI + highI, gapR = lowR - highR, gapI = lowI - highI;
            const Real backR = vr * gapR + vi * gapI, backI = vr * gapI - vi * gapR; // i·O of the filtered row
            z[k] = {sumR + backR, sumI + backI};
            z[m_half - k] = {sumR - backR, backI - sumI};
        }
    }

  private:
    int m_half;                      // M
    std::vector<Real> m_low, m_high; // response at k and at M − k
    std::vector<std::complex<Real>> m_twiddle;
};

// Cosine and redundancy weights along the rows of a detector.
template <typename Real>
class LineWeights
{
  public:
    LineWeights(const RayWeights& weights, int bins) : m_weights(weights), m_bins(bins)
    {
        for (const CentralRay& ray : weights.central)
            for (int bin = 0; bin < bins; ++bin) {
                const double u = (bin - ray.bin) / ray.lengthBins;
                m_across.push_back(static_cast<Real>(1 + u * u));
            }
    }

    void apply(int projection, int row, Real* line) const
    {
        if (!m_across.empty()) {
            const std::size_t k = m_weights.central.size() == 1 ? 0 : projection;
            const CentralRay& ray = m_weights.central[k];
            const double v = (m_weights.firstRow + row - ray.row) / ray.lengthRows;
            const Real up = static_cast<Real>(v * v);
            const Real* across = m_across.data() + k * m_bins;
            for (int bin = 0; bin < m_bins; ++bin)
                line[bin] *= 1 / std::sqrt(across[bin] + up);
        }
        if (!m_weights.redundancy.empty()) {
            const float* redundancy = m_weights.redundancy.data() + static_cast<std::size_t>(projection) * m_bins;
            for (int bin = 0; bin < m_bins; ++bin)
                line[bin] *= redundancy[bin];
        }
    }

  private:
    const RayWeights& m_weights;
    int m_bins;
    std::vector<Real> m_across; // 1 + u², [1 or projection][bin]
};

// Filters each row separately, so that a NaN stays in its row. `in` and `out` may be the same memory.
template <typename Real>
void filterAllRows(const Sinograms& shape, const float* in, Real* out, const FilterSettings& settings,
                   const RayWeights& weights, int threads, const std::function<void(double)>& progress,
                   const std::stop_token& stop)
{
    const int bins = shape.bins;
    const int padded = paddedLength(bins);
    const bool filtered = settings.window != Window::none;
    const std::size_t count = static_cast<std::size_t>(shape.slices) * shape.projections;
    const RowFilter<Real> rowFilter(frequencyResponse(settings, padded));
    const LineWeights<Real> lineWeights(weights, bins);
    const Transform<Real>& transform = Transform<Real>::of(padded / 2, count);
    tbb::enumerable_thread_specific<TransformRow<Real>> rows([padded] { return TransformRow<Real>(padded / 2); });

    std::atomic<std::size_t> done = 0;
    const auto filterRow = [&](std::size_t k) {
        const float* source = in + k * bins;
        Real* target = out + k * bins;
        const int projection = static_cast<int>(k % shape.projections), line = static_cast<int>(k / shape.projections);
        const Real weight = static_cast<Real>(weights.projections[projection]);
        TransformRow<Real>& row = rows.local();
        std::copy_n(source, bins, row.numbers());
        lineWeights.apply(projection, line, row.numbers());
        if (!filtered) {
            std::transform(row.numbers(), row.numbers() + bins, target,
                           [weight](Real value) { return weight * value; });
            return;
        }
        continueRow(bins, padded, settings.padMode, row.numbers());
        transform.forward(row);
        rowFilter.apply(row.data());
        transform.backward(row);
        std::transform(row.numbers(), row.numbers() + bins, target, [weight](Real value) { return weight * value; });
    };
    tbb::task_arena arena = arenaOf(threads);
    arena.execute([&] {
        parallelFor(tbb::blocked_range<std::size_t>(0, count, 8), [&](const auto& range) {
            for (std::size_t k = range.begin(); k != range.end(); ++k) {
                if (stop.stop_requested())
                    return;
                filterRow(k);
            }
            const std::size_t now = done += range.size();
            if (progress)
                progress(static_cast<double>(now) / static_cast<double>(count));
        });
    });
    throwIfStopped(stop);
}

template <typename Real>
Buffer<Real> filterCopy(const Sinograms& in, const FilterSettings& settings, const RayWeights& weights, int threads,
                        const std::function<void(double)>& progress, const std::stop_token& stop)
{
    Buffer<Real> out(in.values.size());
    filterAllRows(in, in.values.data(), out.data(), settings, weights, threads, progress, stop);
    return out;
}

void checkShape(const Sinograms& sinograms, const RayWeights& weights)
{
    const std::size_t expected = static_cast<std::size_t>(sinograms.slices) * sinograms.projections * sinograms.bins;
    if (sinograms.bins < 1 || sinograms.values.size() != expected)
        throw Error(ErrorKind::badRequest, "sinograms of " + std::to_string(sinograms.slices) + " × " +
                                               std::to_string(sinograms.projections) + " × " +
                                               std::to_string(sinograms.bins) + " values hold " +
                                               std::to_string(sinograms.values.size()));
    if (weights.projections.size() != static_cast<std::size_t>(sinograms.projections))
        throw Error(ErrorKind::badRequest, std::to_string(weights.projections.size()) + " weights given for " +
                                               std::to_string(sinograms.projections) + " projections");
}

[[noreturn]] void throwNoMemory(const Sinograms& sinograms)
{
    throw Error(ErrorKind::noMemory, "not enough memory to filter " + std::to_string(sinograms.slices) +
                                         (sinograms.slices == 1 ? " slice; " : " slices simultaneously; ") +
                                         lessMemory(sinograms.slices));
}

} // namespace

int paddedLength(int bins)
{
    int length = 1;
    while (length < 2 * bins)
        length *= 2;
    return length;
}

std::vector<double> frequencyResponse(const FilterSettings& settings, int padded)
{
    using std::numbers::pi;
    checkSettings(settings);
    if (padded < 2 || (padded & (padded - 1)) != 0)
        throw Error(ErrorKind::badRequest, "filter length " + std::to_string(padded) + " is not a power of two");
    std::vector<double> response(static_cast<std::size_t>(padded) / 2 + 1, 1.0);
    if (settings.window == Window::none)
        return response;

    // The ramp is band-limited in space and cut to ±padded/2: its transform keeps the mean of an image, which |f|,
    // sampled directly, would lose.
    TransformRow<double> row(padded);
    std::complex<double>* values = row.data();
    std::fill_n(values, padded, 0.0);
    values[0] = 0.25;
    for (int n = 1; n <= padded / 2; n += 2)
        values[n] = values[padded - n] = -1 / (pi * n * pi * n);
    Transform<double>::of(padded, 1).forward(row);
    for (int k = 0; k <= padded / 2; ++k)
        response[k] = 2 * values[k].real() * windowAt(settings, static_cast<double>(k) / padded);
    return response;
}

FilteredSinograms filterSinograms(const Sinograms& sinograms, const FilterSettings& settings, const RayWeights& weights,
                                  FilterPrecision precision, int threads, const std::function<void(double)>& progress,
                                  std::stop_token stop)
try {
    checkSettings(settings);
    checkShape(sinograms, weights);
    FilteredSinograms out{sinograms.slices, sinograms.projections, sinograms.bins, {}};
    if (precision == FilterPrecision::float64)
        out.values = filterCopy<double>(sinograms, settings, weights, threads, progress, stop);
    else
        out.values = filterCopy<float>(sinograms, settings, weights, threads, progress, stop);
    return out;
} catch (const std::bad_alloc&) {
    throwNoMemory(sinograms);
}

FilteredSinograms filterInPlace(Sinograms&& sinograms, const FilterSettings& settings, const RayWeights& weights,
                                int threads, const std::function<void(double)>& progress, std::stop_token stop)
try {
    checkSettings(settings);
    checkShape(sinograms, weights);
    float* values = sinograms.values.data();
    filterAllRows(sinograms, values, values, settings, weights, threads, progress, stop);
    return {sinograms.slices, sinograms.projections, sinograms.bins, std::move(sinograms.values)};
} catch (const std::bad_alloc&) {
    throwNoMemory(sinograms);
}

void planFilter(int bins, FilterPrecision precision, std::size_t rows)
{
    const int length = paddedLength(bins) / 2;
    if (precision == FilterPrecision::float64)
        Transform<double>::of(length, rows);
    else
        Transform<float>::of(length, rows);
}

std::string filterPlans()
{
    const std::string floats = plansOf<float>();
    return std::to_string(floats.size()) + ':' + floats + plansOf<double>();
}

void takeFilterPlans(const std::string& plans)
{
    const std::size_t colon = plans.find(':');
    const std::size_t floats = std::stoull(plans.substr(0, colon));
    takePlans<float>(plans.substr(colon + 1, floats));
    takePlans<double>(plans.substr(colon + 1 + floats));
}

} // namespace engine
