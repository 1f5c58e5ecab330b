// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/cone/cone_pipeline.h"
#include "engine/backends/opencl/cone/cone_variants.h"

#include "engine/backends/cone/single_views.h"
#include "engine/backends/opencl/cone/cone_source.h"
#include "engine/backends/opencl/parallel/kernel_options.h"
#include "engine/backends/opencl/parallel/sources.h"
#include "engine/backends/opencl/rows/device_in_use.h"
#include "engine/base/error.h"
#include "engine/base/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace engine::opencl
{

namespace
{

// As `Slab` in cone.cl.
struct Slab {
    cl_int width, height, slices, first, end, projections;
};

// Projections [first, first + count), or pairs of these with their opposite ones.
struct Batch {
    int first = 0, count = 0;
};

// A launch, and what its geometry allows.
struct OpenClLaunch {
    const LaunchArguments& arguments;
    VolumeGrid grid; // as if the slices of the image were adjacent
    std::vector<ConeView> views;
    bool upright = false, mirrored = false;
    int values = 1; // per texel
    int channels = 1;
    int deep = 1; // voxels of a column per thread
    int storedRows = 0;

    OpenClLaunch(const LaunchArguments& launch, OpenedDevice& device);
    int slicesToSum() const { return mirrored ? (grid.slices + 1) / 2 : grid.slices; }
    int perView() const { return values == 4 ? 2 : 1; }       // projections
    std::vector<int> projectionsOf(const Batch& batch) const; // in the order of their upload
    std::string options() const;
};

OpenClLaunch::OpenClLaunch(const LaunchArguments& launch, OpenedDevice& device) : arguments(launch), grid(launch.grid)
{
    std::vector<ProjectionMatrix> matrices = viewsOf(launch, FilterPrecision::float32);
    const int rows = launch.sinograms.slices;
    const std::string& variant = launch.kernel.variant;
    const bool half = launch.kernel.precision == Precision::half;
    upright = haveUprightColumns(matrices);
    mirrored = grid.slices > 1 && areMirrored(matrices, grid.slices, rows) &&
               (variant != singleTexels || launch.image.slices < grid.slices);
    // The middle of mirrored pairs is the middle of all slices: the matrices are moved as if the two halves of the
    // image were adjacent there, and the views are shifted to the upper half.
    const int apart = grid.slices - launch.image.slices;
    grid.slices = launch.image.slices;
    for (ProjectionMatrix& m : matrices)
        for (int row = 0; row < 3; ++row)
            m[4 * row + 3] += m[4 * row + 2] * apart / 2.0;
    views = singleViewsOf(matrices, grid);
    // Texels of four floats are fetched at a quarter of the rate, so these are the default only for halves.
    const bool four = variant.empty() ? half : variant == fourfoldTexels;
    values = !mirrored ? 1 : four && areOpposite(views) ? 4 : 2;
    for (ConeView& view : views)
        view.r0 -= view.rz * 0.5F * static_cast<float>(apart);
    channels = device.channelsFor(values, half);
    deep = launch.kernel.slicesPerPass == 1 ? 1 : values == 4 ? 4 : 8;
    storedRows = mirrored ? mirroredRows(rows) : rows;
}

std::vector<int> OpenClLaunch::projectionsOf(const Batch& batch) const
{
    std::vector<int> list;
    for (int run = 0; run < perView(); ++run)
        for (int k = 0; k < batch.count; ++k)
            list.push_back(batch.first + k + run * arguments.sinograms.projections / 2);
    return list;
}

std::string OpenClLaunch::options() const
{
    return passOptions(1, channels, arguments.kernel.precision) + definition("VALUES", values) +
           definition("DEEP", deep) + definition("UPRIGHT", upright ? 1 : 0) +
           definition("NEAREST", arguments.kernel.interpolation == Interpolation::nearest ? 1 : 0);
}

std::size_t groupsOf(std::size_t values, std::size_t each)
{
    return (values + each - 1) / each;
}

} // namespace

struct ConePipeline::Impl {
    explicit Impl(DeviceInUse& used) : in(used), device(used.device), compute(used.compute) {}

    DeviceInUse& in;
    OpenedDevice& device;
    Queue& compute;
    Buffer raw[2], stored, volume, views;
    Event used[2]; // of the raw buffers
    Image layers;  // one per view
    std::vector<OpenClFilter::Span> filtered;
    std::vector<Event> kernels;

    std::vector<Batch> batchesOf(const OpenClLaunch& launch) const;
    int slicesPerSlab(const OpenClLaunch& launch) const;
    void startUpload(const OpenClLaunch& launch, const Batch& batch, int slot);
    void store(const OpenClLaunch& launch, const Batch& batch, int slot);
    void sum(const OpenClLaunch& launch, const Batch& batch, const RowRange& slices);
    void runSlab(const OpenClLaunch& launch, const std::vector<Batch>& batches, const RowRange& slices, double& done,
                 double all);
    void download(const OpenClLaunch& launch, const RowRange& slices);
    void abandon() noexcept;
};

std::vector<Batch> ConePipeline::Impl::batchesOf(const OpenClLaunch& launch) const
{
    const SinogramView& data = launch.arguments.sinograms;
    const int count = data.projections / launch.perView();
    const Device& facts = device.facts();
    // Each batch has a quarter of a gigabyte of floats at most, and its views fit the constant memory.
    const double bytes = 4.0 * data.bins * launch.storedRows * launch.channels;
    const double most = std::min({2.5e8 / bytes, facts.constantBytes / sizeof(ConeView), 1.0 * facts.mostImageLayers});
    const int asked = launch.arguments.kernel.batch / launch.perView();
    const int each = std::clamp(asked > 0 ? asked : (count + 7) / 8, 1, std::max(1, static_cast<int>(most)));
    std::vector<Batch> list;
    for (int first = 0; first < count; first += each)
        list.push_back({first, std::min(each, count - first)});
    return list;
}

// Returns the slices of the sum whose voxels, with their mirror images, fit a buffer of the device.
int ConePipeline::Impl::slicesPerSlab(const OpenClLaunch& launch) const
{
    const double slice = 4.0 * launch.grid.width * launch.grid.height * (launch.mirrored ? 2 : 1);
    const Device& facts = device.facts();
    const double room = std::min(facts.largestBufferBytes, 0.5 * facts.memoryBytes);
    return static_cast<int>(std::clamp(room / slice, 1.0, 1.0 * launch.slicesToSum()));
}

void ConePipeline::Impl::startUpload(const OpenClLaunch& launch, const Batch& batch, int slot)
{
    const SinogramView& data = launch.arguments.sinograms;
    // In each row, a run of projections and a run of their opposite ones, half of all projections apart.
    const std::size_t line = data.bins * sizeof(float), runs = static_cast<std::size_t>(launch.perView());
    const std::size_t run = line * batch.count, all = runs * data.slices;
    raw[slot].reserve(device.context(), run * all);
    in.uploads.upload(raw[slot], data.floats.data() + static_cast<std::size_t>(batch.first) * data.bins,
                      {run, line * data.projections / runs, all}, used[slot]);
}

// Stores a batch as layers.
void ConePipeline::Impl::store(const OpenClLaunch& launch, const Batch& batch, int slot)
{
    const SinogramView& data = launch.arguments.sinograms;
    const bool half = launch.arguments.kernel.precision == Precision::half;
    const int projections = batch.count * launch.perView();
    const std::string source = std::string(commonSource) + passSource + coneSource;
    std::optional<RayWeights> weights;
    if (const auto& own = launch.arguments.filter)
        weights = weightsOf(own->weights, launch.projectionsOf(batch), data.bins);
    filtered.push_back(in.filterRows(raw[slot], data.slices, projections, data.bins, weights ? &*weights : nullptr,
                                     half, source, launch.options()));
    const std::size_t perLayer = static_cast<std::size_t>(data.bins) * launch.storedRows * launch.channels;
    stored.reserve(device.context(), perLayer * batch.count * (half ? 2 : 4));
    const cl_kernel keep = device.kernel(source, launch.options(), "storeLayers");
    setArguments(keep, raw[slot].get(), cl_int{data.slices}, cl_int{projections}, cl_int{data.bins},
                 cl_int{launch.storedRows}, in.largest.get(), stored.get());
    used[slot] = enqueue(
        compute.get(), keep,
        {groupsOf(data.bins, 256), static_cast<std::size_t>(launch.storedRows), static_cast<std::size_t>(batch.count)},
        256);
    layers.reserve(device.context(), {.channels = launch.channels,
                                      .half = half,
                                      .width = data.bins,
                                      .height = launch.storedRows,
                                      .layers = batch.count});
    layers.fill(compute.get(), stored.get(), batch.count);
    views.reserve(device.context(), batch.count * sizeof(ConeView));
    check(functions().clEnqueueWriteBuffer(compute.get(), views.get(), CL_FALSE, 0, batch.count * sizeof(ConeView),
                                           launch.views.data() + batch.first, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
}

// Adds the stored batch to a slab.
void ConePipeline::Impl::sum(const OpenClLaunch& launch, const Batch& batch, const RowRange& slices)
{
    Slab slab{launch.grid.width, launch.grid.height, launch.grid.slices, slices.first, slices.first + slices.count, 0};
    const cl_kernel kernel =
        device.kernel(std::string(commonSource) + passSource + coneSource, launch.options(), "coneVoxels");
    const bool four = launch.values == 4;
    const std::size_t rows = four ? (launch.grid.height + 1) / 2 : launch.grid.height;
    const Groups groups{groupsOf(launch.grid.width, 16), groupsOf(rows, four ? 8 : 16),
                        groupsOf(slices.count, launch.deep)};
    const std::size_t threads = four ? 128 : 256;
    in.load(kernel, [&] {
        setArguments(kernel, layers.get(), views.get(), slab, in.largest.get(), volume.get());
        return enqueue(compute.get(), kernel, groups, threads);
    });
    slab.projections = batch.count;
    setArguments(kernel, layers.get(), views.get(), slab, in.largest.get(), volume.get());
    kernels.push_back(enqueue(compute.get(), kernel, groups, threads));
    check(functions().clFlush(compute.get()), "clFlush");
}

// Copies a slab to the image, and its mirror image where there is one.
void ConePipeline::Impl::download(const OpenClLaunch& launch, const RowRange& slices)
{
    const std::size_t slice = launch.arguments.image.sliceSize();
    const auto copy = [&](int place, int first, int count) {
        if (count <= 0)
            return;
        in.downloads.download(launch.arguments.image.values.data() + first * slice, volume,
                              place * slice * sizeof(float), count * slice * sizeof(float), kernels.back());
        in.downloads.wait();
    };
    copy(0, slices.first, slices.count);
    if (!launch.mirrored)
        return;
    const int end = slices.first + slices.count, first = launch.grid.slices - end;
    const int skipped = first < end ? 1 : 0; // a slice in the middle is no pair
    copy(slices.count + skipped, first + skipped, slices.count - skipped);
}

void ConePipeline::Impl::runSlab(const OpenClLaunch& launch, const std::vector<Batch>& batches, const RowRange& slices,
                                 double& done, double all)
{
    const std::size_t bytes =
        launch.arguments.image.sliceSize() * slices.count * (launch.mirrored ? 2 : 1) * sizeof(float);
    volume.reserve(device.context(), bytes);
    zero(compute.get(), volume);
    startUpload(launch, batches.front(), 0);
    for (std::size_t b = 0; b < batches.size(); ++b) {
        throwIfStopped(launch.arguments.stop);
        store(launch, batches[b], static_cast<int>(b % 2));
        sum(launch, batches[b], slices);
        if (b + 1 < batches.size()) // while the kernel runs
            startUpload(launch, batches[b + 1], static_cast<int>((b + 1) % 2));
        if (kernels.size() > 1) // runs ahead by one kernel at most, so that a stop takes effect soon
            wait(kernels[kernels.size() - 2]);
        if (launch.arguments.progress)
            launch.arguments.progress(++done / all);
    }
    download(launch, slices);
}

// Waits for all work. Afterwards nothing uses the launch's memory.
void ConePipeline::Impl::abandon() noexcept
{
    in.abandon();
    for (Event& event : used)
        event = Event();
    filtered.clear();
    kernels.clear();
}

ConePipeline::ConePipeline(DeviceInUse& device) : m_impl(std::make_unique<Impl>(device)) {}

ConePipeline::~ConePipeline() = default;

DeviceTimes ConePipeline::run(const LaunchArguments& arguments)
{
    Impl& d = *m_impl;
    const Stopwatch watch;
    const double compiledBefore = d.device.compileSeconds();
    const OpenClLaunch launch(arguments, d.device);
    const Device& facts = d.device.facts();
    require(arguments.sinograms.bins <= facts.mostImageWidth && launch.storedRows <= facts.mostImageHeight,
            "the OpenCL device " + facts.name + " has images of at most " + std::to_string(facts.mostImageWidth) +
                " bins × " + std::to_string(facts.mostImageHeight) + " rows; choose cpu");
    DeviceTimes times;
    try {
        d.abandon();
        const std::vector<Batch> batches = d.batchesOf(launch);
        if (arguments.filter)
            d.in.filter.prepare(arguments.filter->settings, arguments.sinograms.bins,
                                static_cast<std::size_t>(batches.front().count) * launch.perView() *
                                    arguments.sinograms.slices,
                                d.compute.get());
        const int all = launch.slicesToSum(), each = d.slicesPerSlab(launch);
        double done = 0;
        for (int first = 0; first < all; first += each)
            d.runSlab(launch, batches, {first, std::min(each, all - first)}, done,
                      static_cast<double>(batches.size()) * ((all + each - 1) / each));
        if (arguments.filter)
            for (const OpenClFilter::Span& span : d.filtered)
                times.filterSeconds += span.seconds();
        for (const Event& kernel : d.kernels)
            times.kernelSeconds += secondsBetween(kernel, kernel);
        d.abandon();
    } catch (...) {
        d.abandon();
        throw;
    }
    times.compileSeconds = d.device.compileSeconds() - compiledBefore;
    times.totalSeconds = watch.seconds() - times.compileSeconds;
    return times;
}

} // namespace engine::opencl
