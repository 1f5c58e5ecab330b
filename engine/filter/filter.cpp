#include "engine/filter/filter.h"

#include "engine/error.h"
#include "engine/parallel_for.h"
#include "engine/stoppable_resize.h"

#include <fftw3.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>
#include <numbers>
#include <string>

namespace engine
{

namespace
{

// FFTW's planner keeps state for the whole process and may be used by one thread at a time;
// executing a plan may not be guarded and needn't be.
std::mutex& plannerMutex()
{
    static std::mutex mutex;
    return mutex;
}

template <typename Real>
struct Fftw;

template <>
struct Fftw<float> {
    using Complex = fftwf_complex;
    using Plan = fftwf_plan;
    static void* allocate(std::size_t bytes) { return fftwf_malloc(bytes); }
    static void release(void* memory) { fftwf_free(memory); }
    static Plan planForward(int n, float* in, Complex* out) { return fftwf_plan_dft_r2c_1d(n, in, out, FFTW_ESTIMATE); }
    static Plan planBackward(int n, Complex* in, float* out)
    {
        return fftwf_plan_dft_c2r_1d(n, in, out, FFTW_ESTIMATE);
    }
    static void destroy(Plan plan) { fftwf_destroy_plan(plan); }
    static void forward(Plan plan, float* in, Complex* out) { fftwf_execute_dft_r2c(plan, in, out); }
    static void backward(Plan plan, Complex* in, float* out) { fftwf_execute_dft_c2r(plan, in, out); }
};

template <>
struct Fftw<double> {
    using Complex = fftw_complex;
    using Plan = fftw_plan;
    static void* allocate(std::size_t bytes) { return fftw_malloc(bytes); }
    static void release(void* memory) { fftw_free(memory); }
    static Plan planForward(int n, double* in, Complex* out) { return fftw_plan_dft_r2c_1d(n, in, out, FFTW_ESTIMATE); }
    static Plan planBackward(int n, Complex* in, double* out)
    {
        return fftw_plan_dft_c2r_1d(n, in, out, FFTW_ESTIMATE);
    }
    static void destroy(Plan plan) { fftw_destroy_plan(plan); }
    static void forward(Plan plan, double* in, Complex* out) { fftw_execute_dft_r2c(plan, in, out); }
    static void backward(Plan plan, Complex* in, double* out) { fftw_execute_dft_c2r(plan, in, out); }
};

// One padded row and, in the same memory, its spectrum: padded + 2 numbers.
template <typename Real>
class Row
{
  public:
    explicit Row(int padded)
        : m_memory(static_cast<Real*>(Fftw<Real>::allocate(sizeof(Real) * (static_cast<std::size_t>(padded) + 2))))
    {
        if (!m_memory)
            throw std::bad_alloc();
    }
    Real* samples() { return m_memory.get(); }
    typename Fftw<Real>::Complex* spectrum() { return reinterpret_cast<typename Fftw<Real>::Complex*>(m_memory.get()); }

  private:
    struct Release {
        void operator()(Real* memory) const { Fftw<Real>::release(memory); }
    };
    std::unique_ptr<Real, Release> m_memory;
};

// Forward and backward transforms of one length, in place; usable from any thread at once on rows
// of the class above (same alignment as the row that they were planned on).
template <typename Real>
class Transform
{
  public:
    explicit Transform(int padded)
    {
        Row<Real> row(padded);
        const std::lock_guard lock(plannerMutex());
        m_forward = Fftw<Real>::planForward(padded, row.samples(), row.spectrum());
        m_backward = Fftw<Real>::planBackward(padded, row.spectrum(), row.samples());
        if (!m_forward || !m_backward) {
            destroy();
            throw std::bad_alloc();
        }
    }
    ~Transform()
    {
        const std::lock_guard lock(plannerMutex());
        destroy();
    }
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;

    void forward(Row<Real>& row) const { Fftw<Real>::forward(m_forward, row.samples(), row.spectrum()); }
    void backward(Row<Real>& row) const { Fftw<Real>::backward(m_backward, row.spectrum(), row.samples()); }

  private:
    void destroy()
    {
        if (m_forward)
            Fftw<Real>::destroy(m_forward);
        if (m_backward)
            Fftw<Real>::destroy(m_backward);
    }
    typename Fftw<Real>::Plan m_forward = nullptr;
    typename Fftw<Real>::Plan m_backward = nullptr;
};

// f in cycles a sample (Nyquist 0.5), d the cut-off as a fraction of Nyquist; CONVENTIONS "Windows".
double windowAt(const FilterSettings& settings, double f)
{
    using std::numbers::pi;
    const double d = settings.cutoff;
    if (f > d / 2)
        return 0;
    switch (settings.window) {
    case Window::none:
    case Window::ramLak:
        return 1;
    case Window::sheppLogan: {
        const double x = pi * f / d;
        return x == 0 ? 1 : std::sin(x) / x;
    }
    case Window::cosine:
        return std::cos(pi * f / d);
    case Window::hann:
        return 0.5 * (1 + std::cos(2 * pi * f / d));
    case Window::hamming:
        return 0.54 + 0.46 * std::cos(2 * pi * f / d);
    case Window::parzen:
        return std::pow(1 - 2 * f / d, 3);
    case Window::butterworth:
        return 1 / (1 + std::pow(2 * f / d, 2 * settings.order));
    }
    return 1;
}

void check(const FilterSettings& settings)
{
    if (!(settings.cutoff > 0 && settings.cutoff <= 1))
        throw Error(ErrorKind::badRequest, "filter cut-off " + std::to_string(settings.cutoff) +
                                               " is not a fraction of Nyquist; give a number above 0 and up to 1");
    if (settings.window == Window::butterworth && settings.order < 1)
        throw Error(ErrorKind::badRequest,
                    "Butterworth order " + std::to_string(settings.order) + " is too small; give 1 or more");
}

// A row continued as its pad mode says. The end of the padding is what lies left of bin 0, because
// the convolution is circular: half of it continues the last bin, half the first.
template <typename Real>
void loadRow(const float* bins, int count, int padded, PadMode mode, Real* out)
{
    std::copy_n(bins, count, out);
    if (mode == PadMode::zero) {
        std::fill(out + count, out + padded, Real(0));
        return;
    }
    const int middle = count + (padded - count) / 2;
    std::fill(out + count, out + middle, static_cast<Real>(bins[count - 1]));
    std::fill(out + middle, out + padded, static_cast<Real>(bins[0]));
}

// Filters each row by itself, so that a NaN stays in its row.
template <typename Real>
std::vector<Real> filterRows(const Sinograms& in, const FilterSettings& settings, const std::vector<double>& weights,
                             int threads, const std::function<void(double)>& progress, const std::stop_token& stop)
{
    std::vector<Real> out;
    resizeStoppable(out, in.values.size(), stop);
    if (stop.stop_requested())
        throw Error(ErrorKind::cancelled, "stopped while filtering");
    const int padded = paddedLength(in.bins);
    const bool filtered = settings.window != Window::none;
    std::vector<Real> response;
    if (filtered)
        for (double value : frequencyResponse(settings, padded))
            response.push_back(static_cast<Real>(value / padded)); // FFTW doesn't normalise
    const Transform<Real> transform(padded);
    tbb::enumerable_thread_specific<Row<Real>> rows([padded] { return Row<Real>(padded); });

    const std::size_t count = static_cast<std::size_t>(in.slices) * in.projections;
    std::atomic<std::size_t> done = 0;
    const auto filterRow = [&](std::size_t k) {
        const float* source = in.values.data() + k * in.bins;
        Real* target = out.data() + k * in.bins;
        const Real weight = static_cast<Real>(weights[k % in.projections]);
        if (!filtered) {
            std::transform(source, source + in.bins, target, [weight](float value) { return weight * value; });
            return;
        }
        Row<Real>& row = rows.local();
        loadRow(source, in.bins, padded, settings.padMode, row.samples());
        transform.forward(row);
        auto* spectrum = row.spectrum();
        for (int f = 0; f <= padded / 2; ++f) {
            const Real factor = weight * response[f];
            spectrum[f][0] *= factor;
            spectrum[f][1] *= factor;
        }
        transform.backward(row);
        std::copy_n(row.samples(), in.bins, target);
    };
    tbb::task_arena arena(threads > 0 ? std::min(threads, tbb::info::default_concurrency())
                                      : tbb::task_arena::automatic);
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
    if (stop.stop_requested())
        throw Error(ErrorKind::cancelled, "stopped while filtering");
    return out;
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
    check(settings);
    if (padded < 2 || (padded & (padded - 1)) != 0)
        throw Error(ErrorKind::badRequest, "filter length " + std::to_string(padded) + " is not a power of two");
    std::vector<double> response(static_cast<std::size_t>(padded) / 2 + 1, 1.0);
    if (settings.window == Window::none)
        return response;

    // The ramp, band-limited in space and cut to ±padded/2: its transform keeps the mean of an image
    // that |f| sampled directly would lose.
    Row<double> row(padded);
    const Transform<double> transform(padded);
    std::fill_n(row.samples(), padded, 0.0);
    row.samples()[0] = 0.25;
    for (int n = 1; n <= padded / 2; n += 2) {
        const double value = -1 / (pi * n * pi * n);
        row.samples()[n] = value;
        row.samples()[padded - n] = value;
    }
    transform.forward(row);
    for (int k = 0; k <= padded / 2; ++k)
        response[k] = 2 * row.spectrum()[k][0] * windowAt(settings, static_cast<double>(k) / padded);
    return response;
}

FilteredSinograms filterSinograms(const Sinograms& sinograms, const FilterSettings& settings,
                                  const std::vector<double>& weights, FilterPrecision precision, int threads,
                                  const std::function<void(double)>& progress, std::stop_token stop)
{
    check(settings);
    const std::size_t expected = static_cast<std::size_t>(sinograms.slices) * sinograms.projections * sinograms.bins;
    if (sinograms.bins < 1 || sinograms.values.size() != expected)
        throw Error(ErrorKind::badRequest, "sinograms of " + std::to_string(sinograms.slices) + " × " +
                                               std::to_string(sinograms.projections) + " × " +
                                               std::to_string(sinograms.bins) + " values hold " +
                                               std::to_string(sinograms.values.size()));
    if (weights.size() != static_cast<std::size_t>(sinograms.projections))
        throw Error(ErrorKind::badRequest, std::to_string(weights.size()) + " weights given for " +
                                               std::to_string(sinograms.projections) + " projections");
    FilteredSinograms out{sinograms.slices, sinograms.projections, sinograms.bins, {}};
    try {
        if (precision == FilterPrecision::float64)
            out.values = filterRows<double>(sinograms, settings, weights, threads, progress, stop);
        else
            out.values = filterRows<float>(sinograms, settings, weights, threads, progress, stop);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::noMemory, "not enough memory to filter " + std::to_string(sinograms.slices) +
                                             " slices at once; reconstruct fewer slices");
    }
    return out;
}

} // namespace engine
