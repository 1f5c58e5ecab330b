// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/verify.h"

#include "engine/backends/devices.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/measure/verify_cases.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine
{

namespace
{

constexpr Interpolation interpolations[] = {Interpolation::nearest, Interpolation::linear, Interpolation::oversampled,
                                            Interpolation::cubic};

bool isParallel(const Noise& noise)
{
    return std::holds_alternative<ParallelBeam>(noise.geometry);
}

// Returns the first slices of the sinograms.
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

// Reconstructs the first slices; those of a cone use all rows. filter: of the method; nothing: the rows are filtered.
Volume reconstruct(const Method& method, const Noise& noise, int slices, const Kernel& kernel,
                   const VerifyOptions& options, Workspace& workspace, const std::stop_token& stop,
                   const std::optional<OwnFilter>& filter = {})
{
    const bool wide = method.filterPrecision == FilterPrecision::float64;
    const FilteredSinograms& all = wide ? noise.twice : noise.single;
    VolumeGrid grid = noise.grid;
    grid.slices = slices;
    const FilteredSinograms some = isParallel(noise) ? firstSlices(all, slices) : FilteredSinograms();
    Volume image(grid.slices, grid.height, grid.width);
    std::fill(image.values.begin(), image.values.end(), std::numeric_limits<float>::quiet_NaN());
    launch(method,
           {.sinograms = isParallel(noise) ? some : all,
            .geometry = noise.geometry,
            .grid = grid,
            .kernel = kernel,
            .threads = options.threads,
            .deviceIndex = deviceIndexFor(method, options.device),
            .filter = filter,
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
        const std::size_t before = chosen.size();
        for (const Method& method : methods())
            if (id == method.id)
                chosen.push_back(&method);
        require(chosen.size() > before, "unknown method '" + id + "'");
    }
    if (options.methods.empty())
        for (const Method& method : methods())
            if (mayUse(*method.backend, options.device))
                chosen.push_back(&method);
    const auto elsewhere = [&](const Method* method) {
        return (!options.device.isAutomatic() && !mayUse(*method->backend, options.device)) ||
               (!options.geometry.empty() && !method->takes(geometryKind(options.geometry).example));
    };
    std::erase_if(chosen, elsewhere);
    requireDevice(options.device, "");
    // Chosen methods of a single backend without a device
    if (!chosen.empty() && options.device.isAutomatic()) {
        const Backend& backend = *chosen.front()->backend;
        if (std::ranges::all_of(chosen, [&](const Method* one) { return one->backend == &backend; }))
            if (const auto problem = deviceProblem(backend, options.device))
                throw Error(ErrorKind::device, *problem);
    }
    if (chosen.empty())
        throw Error(ErrorKind::badRequest,
                    "no method " + (options.geometry.empty() ? "" : "for a " + options.geometry + " beam ") +
                        "runs on the device " + toText(options.device));
    return chosen;
}

// The filter of a case.
struct CaseFilter {
    const Noise* filtered = nullptr; // its rows after the filter; null: it has none
    FilterTransform transform = FilterTransform::own;

    bool isPossible(const Method& method, Request request) const
    {
        request.resources.filterOn = FilterOn::gpu;
        return filtersItself(method, request) &&
               (transform == FilterTransform::own ||
                (method.backend->transformProblem && !transformProblem(method, request)));
    }
};

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
        for (const Noise& noise : noisesFor(m_methods, size, projections, mostSlicesPerPass, m_options.seed))
            runNoise(noise, mostSlicesPerPass);
    }

    void runNoise(const Noise& noise, int mostSlicesPerPass)
    {
        const Method& measure = yardstick(noise.geometry);
        for (const Interpolation interpolation : interpolations) {
            const Kernel kernel{
                .method = measure.id, .interpolation = interpolation, .oversampling = verifiedOversampling};
            if (refusalOf(measure, requestFor(measure, noise, kernel, {})))
                continue;
            const Volume exact = reconstruct(measure, noise, noise.grid.slices, kernel, m_options, m_workspace, m_stop);
            for (const Method* method : m_methods) {
                if (!method->takes(noise.geometry))
                    continue;
                for (const Precision precision : {Precision::single, Precision::half})
                    for (const int slicesPerPass : method->slicesPerPass)
                        if (slicesPerPass <= mostSlicesPerPass)
                            runCase(*method, noise, exact, interpolation, precision, slicesPerPass);
            }
        }
        if (isParallel(noise))
            runFilters(noise, mostSlicesPerPass);
    }

    // Compares images of rows that the methods filter themselves, by each transform, with images by the same methods of
    // rows that are filtered in double precision.
    void runFilters(const Noise& recorded, int mostSlicesPerPass)
    {
        const FilteredSinograms& rows = recorded.single;
        Noise filtered = recorded;
        filtered.twice =
            filterSinograms({rows.slices, rows.projections, rows.bins, std::get<Values>(rows.values)}, {},
                            RayWeights(std::vector<double>(static_cast<std::size_t>(rows.projections), 1.0)),
                            FilterPrecision::float64, m_options.threads, {}, m_stop);
        const auto& values = std::get<Buffer<double>>(filtered.twice.values);
        filtered.single.values = Values(values.begin(), values.end());
        for (const Method* method : m_methods)
            for (const auto transform : {FilterTransform::own, FilterTransform::cufft, FilterTransform::cufftReal})
                if (method->takes(recorded.geometry) && method->slicesPerPass.front() <= mostSlicesPerPass)
                    runCase(*method, recorded, {}, Interpolation::linear, Precision::single,
                            method->slicesPerPass.front(), {.filtered = &filtered, .transform = transform});
    }

    static Request requestFor(const Method& method, const Noise& noise, const Kernel& kernel,
                              const DeviceSettings& device)
    {
        auto scan = std::make_shared<Scan>();
        scan->geometry = noise.geometry;
        scan->rows = noise.single.slices;
        Request request;
        request.scan = std::move(scan);
        request.setting.kernel = kernel;
        request.setting.kernel.method = method.id;
        request.resources.device = device;
        return request;
    }

    void runCase(const Method& method, const Noise& noise, const Volume& exact, Interpolation interpolation,
                 Precision precision, int slicesPerPass, const CaseFilter& filter = {})
    {
        // The yardstick sums in double precision, where the number of slices per pass makes no difference.
        if (method.yardstick && !isParallel(noise) && slicesPerPass != method.slicesPerPass.front())
            return;
        Kernel kernel{.interpolation = interpolation,
                      .oversampling = verifiedOversampling,
                      .precision = precision,
                      .slicesPerPass = slicesPerPass,
                      .transform = filter.transform};
        if (hasVariant(method, m_options.variant))
            kernel.variant = m_options.variant;
        const Request request = requestFor(method, noise, kernel, m_options.device);
        if (refusalOf(method, request) || (filter.filtered && !filter.isPossible(method, request)))
            return;
        VerifyCase result;
        result.method = method.id;
        result.geometry = labelOf(noise.geometry);
        result.detail = filter.filtered ? "filter " + toText(filter.transform) : noise.detail;
        result.ofFilter = filter.filtered;
        result.interpolation = interpolation;
        result.precision = precision;
        result.slicesPerPass = slicesPerPass;
        result.size = noise.grid.size;
        result.projections = noise.single.projections;
        result.axisBins = axisBinsOf(noise.geometry).front();
        const int slices = isParallel(noise) ? slicesToVerify(slicesPerPass, result.size) : noise.grid.slices;
        const auto imageOf = [&](const Noise& rows, const std::optional<OwnFilter>& own) {
            return reconstruct(method, rows, slices, request.setting.kernel, m_options, m_workspace, m_stop, own);
        };
        if (filter.filtered) {
            // 2·10⁻⁶ of the largest value, which is less than five times the mean size of noise. Which pixels `hybrid`
            // computes with the texture unit's weights differs from run to run.
            const double ofFilter = method.textureWeights
                                        ? errorBound(method, interpolation, precision, result.size, result.projections)
                                        : 1e-5;
            const FilterSettings settings;
            const RayWeights weights(std::vector<double>(static_cast<std::size_t>(result.projections), 1.0));
            result.error = relativeError(imageOf(noise, OwnFilter{settings, weights, std::nullopt}),
                                         imageOf(*filter.filtered, std::nullopt));
            result.bound = ofFilter;
        } else {
            result.error = relativeError(imageOf(noise, std::nullopt), exact);
            result.bound = errorBound(method, interpolation, precision, result.size, result.projections);
        }
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

std::vector<VerifyCase> verifyMethods(const VerifyOptions& options,
                                      const std::function<void(const VerifyCase&)>& onCase, std::stop_token stop)
{
    return Verification(options, onCase, stop).run();
}

} // namespace engine
