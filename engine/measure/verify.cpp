#include "engine/measure/verify.h"

#include "engine/backproject/gpu_choice.h"
#include "engine/cuda/devices.h"
#include "engine/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace engine
{

namespace
{

constexpr Interpolation interpolations[] = {Interpolation::nearest, Interpolation::linear, Interpolation::oversampled,
                                            Interpolation::cubic};
constexpr int oversampling = 4;

// Filtered sinograms of noise: every bin matters, and no mistake hides behind a smooth object.
struct Noise {
    FilteredSinograms single, twice; // the same values as float and double
    ParallelBeam beam;
    SliceGrid grid;
};

// Enough slices that even one pixel a slice gives a norm that isn't by chance near zero, and never
// a multiple of the slices a pass, so that the last pass is a partial one.
int slicesFor(int slicesPerPass, int size)
{
    const int least = std::max(1, 64 / (size * size));
    return slicesPerPass == 1 ? least : (least + slicesPerPass - 1) / slicesPerPass * slicesPerPass + 1;
}

Noise makeNoise(int size, int projections, int slices, unsigned seed)
{
    std::seed_seq sequence{seed, static_cast<unsigned>(size), static_cast<unsigned>(projections)};
    std::mt19937 generator(sequence);
    // 2⁻³¹ of 32 bits and down to 24: the same numbers with every standard library.
    const auto uniform = [&] { return static_cast<float>(static_cast<int>(generator() >> 8) - (1 << 23)) * 0x1p-23f; };
    Noise noise;
    Values values(static_cast<std::size_t>(slices) * projections * size);
    std::generate(values.begin(), values.end(), uniform);
    noise.twice = {slices, projections, size, Buffer<double>(values.begin(), values.end())};
    noise.single = {slices, projections, size, std::move(values)};
    noise.beam.bins = size;
    for (int p = 0; p < projections; ++p)
        noise.beam.anglesRad.push_back(std::numbers::pi * p / projections);
    noise.beam.axisBins = {(size - 1) / 2.0 + 0.3 + 0.01 * size}; // off the middle, and no ties at 0°
    noise.grid = {size, 0, 0, size, size, 1};
    return noise;
}

// The first slices of the sinograms.
FilteredSinograms firstSlices(const FilteredSinograms& all, int slices)
{
    FilteredSinograms some{slices, all.projections, all.bins, {}};
    const std::size_t count = static_cast<std::size_t>(slices) * all.projections * all.bins;
    std::visit(
        [&](const auto& values) {
            some.values = std::decay_t<decltype(values)>(values.begin(), values.begin() + count);
        },
        all.values);
    return some;
}

Volume reconstruct(const Method& method, const Noise& noise, int slices, const Kernel& kernel,
                   const VerifyOptions& options, Workspace& workspace, const std::stop_token& stop)
{
    const bool wide = method.filterPrecision == FilterPrecision::float64;
    const FilteredSinograms sinograms = firstSlices(wide ? noise.twice : noise.single, slices);
    Volume image(slices, noise.grid.height, noise.grid.width);
    std::fill(image.values.begin(), image.values.end(), std::numeric_limits<float>::quiet_NaN());
    method.launch({.sinograms = sinograms,
                   .geometry = noise.beam,
                   .grid = {noise.grid, 0, 1, slices},
                   .kernel = kernel,
                   .threads = options.threads,
                   .deviceIndex = gpuIndexFor(options.device),
                   .image = image,
                   .stop = stop},
                  workspace);
    return image;
}

// ‖image − exact‖ / ‖exact‖ over the slices of the image.
double relativeError(const Volume& image, const Volume& exact)
{
    double difference = 0, norm = 0;
    for (std::size_t k = 0; k < image.values.size(); ++k) {
        const double reference = exact.values[k];
        difference += (image.values[k] - reference) * (image.values[k] - reference);
        norm += reference * reference;
    }
    return difference == 0 ? 0 : std::sqrt(difference / norm);
}

std::vector<const Method*> chosenMethods(const VerifyOptions& options)
{
    std::vector<const Method*> chosen;
    for (const std::string& id : options.methods) {
        const Method* method = findMethod(id);
        if (!method)
            throw Error(ErrorKind::badRequest, "unknown method '" + id + "'");
        chosen.push_back(method);
    }
    if (options.methods.empty())
        for (const Method& method : methods())
            chosen.push_back(&method);
    const auto elsewhere = [&](const Method* method) {
        return options.device.kind != DeviceSettings::Kind::automatic && method->device != options.device.kind;
    };
    std::erase_if(chosen, elsewhere);
    if (options.device.kind == DeviceSettings::Kind::cuda) {
        const CudaDevices found = cudaDevices();
        if (found.devices.empty())
            throw Error(ErrorKind::device, "there is no NVIDIA GPU to verify: " + found.reason);
    }
    if (chosen.empty())
        throw Error(ErrorKind::badRequest, "no method runs on the device " + toText(options.device));
    return chosen;
}

class Verification
{
  public:
    Verification(const VerifyOptions& options, const std::function<void(const VerifyCase&)>& onCase,
                 const std::stop_token& stop)
        : m_options(options), m_onCase(onCase), m_stop(stop), m_methods(chosenMethods(options))
    {
    }

    std::vector<VerifyCase> run()
    {
        for (const int size : m_options.sizes) {
            for (const int projections : m_options.projections) {
                if (size < 1 || projections < 1)
                    throw Error(ErrorKind::badRequest, "sizes and projections to verify must be 1 or more");
                runSize(size, projections, m_options.mostSlicesPerPass);
            }
        }
        if (m_options.largeSize > 0)
            runSize(m_options.largeSize, 30, std::min(4, m_options.mostSlicesPerPass));
        return std::move(m_cases);
    }

  private:
    void runSize(int size, int projections, int mostSlicesPerPass)
    {
        int slices = 1;
        for (const Method* method : m_methods)
            for (const int slicesPerPass : method->slicesPerPass)
                if (slicesPerPass <= mostSlicesPerPass)
                    slices = std::max(slices, slicesFor(slicesPerPass, size));
        const Noise noise = makeNoise(size, projections, slices, m_options.seed);
        for (const Interpolation interpolation : interpolations) {
            const Volume exact =
                reconstruct(yardstick(), noise, slices, {.interpolation = interpolation, .oversampling = oversampling},
                            m_options, m_workspace, m_stop);
            for (const Method* method : m_methods)
                for (const Precision precision : {Precision::single, Precision::half})
                    for (const int slicesPerPass : method->slicesPerPass)
                        if (slicesPerPass <= mostSlicesPerPass)
                            runCase(*method, noise, exact, interpolation, precision, slicesPerPass);
        }
    }

    void runCase(const Method& method, const Noise& noise, const Volume& exact, Interpolation interpolation,
                 Precision precision, int slicesPerPass)
    {
        Request request;
        request.setting.kernel.method = method.id;
        request.setting.kernel.interpolation = interpolation;
        request.setting.kernel.oversampling = oversampling;
        request.setting.kernel.precision = precision;
        request.setting.kernel.slicesPerPass = slicesPerPass;
        request.resources.device = m_options.device;
        if (hasVariant(method, m_options.variant))
            request.setting.kernel.variant = m_options.variant;
        if (refusalOf(method, request))
            return;
        VerifyCase result;
        result.method = method.id;
        result.interpolation = interpolation;
        result.precision = precision;
        result.slicesPerPass = slicesPerPass;
        result.size = noise.grid.size;
        result.projections = noise.beam.projections();
        result.axisBins = noise.beam.axisBins.front();
        const int slices = slicesFor(slicesPerPass, noise.grid.size);
        const Volume image = reconstruct(method, noise, slices, request.setting.kernel, m_options, m_workspace, m_stop);
        result.error = relativeError(image, exact);
        result.bound = errorBound(method, interpolation, precision, result.size, result.projections);
        result.passed = result.error <= result.bound;
        m_cases.push_back(result);
        if (m_onCase)
            m_onCase(result);
    }

    const VerifyOptions& m_options;
    const std::function<void(const VerifyCase&)>& m_onCase;
    const std::stop_token m_stop;
    const std::vector<const Method*> m_methods;
    std::vector<VerifyCase> m_cases;
    Workspace m_workspace;
};

} // namespace

namespace
{

// Kernels that take h as a float choose the other of two samples where h lies within `doubt` bins of
// the middle between them: a share 2·doubt of the updates, three standard deviations more, and a few.
// Each is wrong by the difference of two samples: √2 of their size, a `factor` of it when oversampled.
// updates: of one slice, since all slices choose alike.
double boundOfTies(double doubt, double factor, double updates)
{
    const double expected = 2 * doubt * updates;
    const double wrong = expected + 3 * std::sqrt(expected) + 6;
    return std::sqrt(2 * wrong / updates) * factor;
}

double boundOnGpu(const Method& method, Interpolation interpolation, Precision precision, int size, int projections)
{
    const bool textureUnit = method.textureWeights;
    const double stored = precision == Precision::half ? 1e-3 : 1e-5;
    const double updates = static_cast<double>(size) * size * projections;
    // h in float: whole in the texture unit (which adds its own steps of 2⁻⁹ where it filters), from the
    // tile's segment of at most 152 bins, whose last digit is 2⁻¹⁶ beyond 128 and less before, and nudged
    // by 2⁻¹⁷, in the ALU.
    const double doubt = textureUnit ? size * 0x1p-22 + 0x1p-16 : 0x1p-16;
    switch (interpolation) {
    case Interpolation::nearest:
        return stored + boundOfTies(doubt, 1, updates);
    case Interpolation::oversampled:
        return stored + boundOfTies(doubt * oversampling, 1.0 / oversampling, updates);
    case Interpolation::linear:
        // Weights of 8 bits, off by ±2⁻⁹ evenly: 2⁻⁹/√3 of a difference (√2 of a sample) against an
        // interpolated value (√(2/3) of a sample) is 1.95·10⁻³; up to twice that where one projection along
        // the rows meets all pixels at the same fraction, and 15 % more for few pixels (measured: 11 %).
        if (textureUnit)
            return stored + 1.95e-3 * (1.15 + 1 / std::sqrt(projections));
        [[fallthrough]];
    case Interpolation::cubic:
        break;
    }
    return stored;
}

} // namespace

double errorBound(const Method& method, Interpolation interpolation, Precision precision, int size, int projections)
{
    if (method.yardstick && precision == Precision::single)
        return 0; // the same bits on every device
    if (method.device == DeviceSettings::Kind::cuda)
        return boundOnGpu(method, interpolation, precision, size, projections);
    // Halves carry 11 bits: each value is off by at most 2⁻¹¹ = 4.9·10⁻⁴ of itself, and the errors of
    // neighbouring bins are independent, so that interpolating doesn't add to them on noise.
    if (precision == Precision::half)
        return 1e-3;
    switch (interpolation) {
    case Interpolation::nearest:
    case Interpolation::oversampled:
        // The same bin as `exact`: positions are right to 2⁻²⁶ bin (cpu/positions-inl.h), so that one in 10⁷
        // lies on the other side of a tie. What is left is the rounding of the interpolation (2⁻²³) and of the
        // sum in floats: random, 2⁻²⁴·√P. One wrong bin in 10⁵ would show: it is wrong by the value itself.
    case Interpolation::linear:
    case Interpolation::cubic:
        // h rounded to 10⁻⁷ bin gives 10⁻⁷ of the difference of two bins, √2 of their size on noise.
        break;
    }
    return 1e-5;
}

std::vector<VerifyCase> verifyMethods(const VerifyOptions& options,
                                      const std::function<void(const VerifyCase&)>& onCase, std::stop_token stop)
{
    return Verification(options, onCase, stop).run();
}

} // namespace engine
