// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/parallel/pipeline.h"

#include "engine/backends/opencl/parallel/sources.h"
#include "engine/backends/opencl/rows/device_in_use.h"
#include "engine/backends/parallel/rays.h"
#include "engine/base/error.h"
#include "engine/base/stopwatch.h"
#include "engine/base/uninitialized.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace engine::opencl
{

namespace
{

constexpr int threads = 256;
constexpr int mostSplits = 16;

// As `Ray` in alu.cl.
struct FixedRay {
    cl_long start, perColumn, perRow; // in units of 2⁻⁴⁰ bins
    cl_float columnStep, rowStep;
};

// As `Shape` in common.cl.
struct Shape {
    cl_int width, height, splits, projections, bins;
};

// Positions further away meet no detector.
cl_long fixedPoint(double bins)
{
    return static_cast<cl_long>(std::nearbyint(std::clamp(bins, -0x1p21, 0x1p21) * 0x1p40));
}

std::size_t groupsOf(std::size_t values)
{
    return (values + threads - 1) / threads;
}

// Buffers and events of one pass. Three slots are used in turn: while the kernels of a pass run, the next one is
// uploaded and the previous one downloaded.
struct Slot {
    Buffer raw, image;
    OpenClFilter::Span filtered;
    std::vector<Event> kernels; // in their order
};

constexpr int slotCount = 3;

} // namespace

struct ParallelPipeline::Impl {
    explicit Impl(DeviceInUse& used) : in(used), device(used.device), compute(used.compute) {}

    DeviceInUse& in;
    OpenedDevice& device;
    Queue& compute;
    Slot slots[slotCount];
    Buffer interleaved, partial, fixedRays, singleRays;
    std::vector<Buffer> rayBlocks; // constant memory holds a part of the rays
    std::vector<int> raysInBlock;
    Image image;

    void setRays(const LaunchArguments& arguments);
    void send(const Buffer& to, const void* from, std::size_t bytes) const;
    void startUpload(const LaunchArguments& arguments, Slot& slot, int first, int slices);
    void prepareSinograms(const LaunchArguments& arguments, Slot& slot, int slices, const KernelChoice& choice,
                          int channels);
    void startKernels(const LaunchArguments& arguments, Slot& slot, const KernelChoice& choice);
    void startDownload(const LaunchArguments& arguments, const Slot& slot, int first, int slices);
    int splitsFor(const LaunchArguments& arguments, const KernelChoice& choice) const;
    Event launch(const LaunchArguments& arguments, const Slot& slot, const KernelChoice& choice, cl_kernel kernel,
                 const Shape& shape, std::size_t block);
    void abandon() noexcept;
};

void ParallelPipeline::Impl::send(const Buffer& to, const void* from, std::size_t bytes) const
{
    check(functions().clEnqueueWriteBuffer(compute.get(), to.get(), CL_TRUE, 0, bytes, from, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
}

void ParallelPipeline::Impl::setRays(const LaunchArguments& arguments)
{
    const Rays rays = raysOf(arguments, FilterPrecision::float32);
    const VolumeGrid& grid = arguments.grid;
    std::vector<FixedRay> fixed;
    std::vector<cl_float4> single;
    for (int p = 0; p < rays.projections(); ++p) {
        const double start = rays.axisBins[p] + grid.x(0) * rays.cosine[p] + grid.y(0) * rays.sine[p];
        const double perColumn = grid.step * rays.cosine[p], perRow = -grid.step * rays.sine[p];
        const auto columnStep = static_cast<float>(perColumn), rowStep = static_cast<float>(perRow);
        fixed.push_back({fixedPoint(start), fixedPoint(perColumn), fixedPoint(perRow), columnStep, rowStep});
        single.push_back({{static_cast<float>(start), columnStep, rowStep, 0}});
    }
    fixedRays.reserve(device.context(), fixed.size() * sizeof(FixedRay));
    send(fixedRays, fixed.data(), fixed.size() * sizeof(FixedRay));
    singleRays.reserve(device.context(), single.size() * sizeof(cl_float4));
    send(singleRays, single.data(), single.size() * sizeof(cl_float4));
    const std::size_t atOnce =
        std::max<std::size_t>(1, static_cast<std::size_t>(device.facts().constantBytes) / sizeof(cl_float4));
    const std::size_t blocks = (single.size() + atOnce - 1) / atOnce;
    rayBlocks.resize(std::max(rayBlocks.size(), blocks));
    raysInBlock.assign(blocks, 0);
    for (std::size_t k = 0; k < blocks; ++k) {
        const std::size_t first = single.size() * k / blocks, last = single.size() * (k + 1) / blocks;
        raysInBlock[k] = static_cast<int>(last - first);
        rayBlocks[k].reserve(device.context(), (last - first) * sizeof(cl_float4));
        send(rayBlocks[k], single.data() + first, (last - first) * sizeof(cl_float4));
    }
}

// The slot's previous pass must have ended.
void ParallelPipeline::Impl::startUpload(const LaunchArguments& arguments, Slot& slot, int first, int slices)
{
    const std::size_t slice = static_cast<std::size_t>(arguments.sinograms.projections) * arguments.sinograms.bins;
    const std::size_t bytes = slice * slices * sizeof(float);
    slot.raw.reserve(device.context(), slice * arguments.kernel.slicesPerPass * sizeof(float));
    in.uploads.upload(slot.raw, arguments.sinograms.floats.data() + first * slice, {bytes, bytes, 1}, {});
}

// Interleaves the slices of a pass, scales halves, and fills the image.
void ParallelPipeline::Impl::prepareSinograms(const LaunchArguments& arguments, Slot& slot, int slices,
                                              const KernelChoice& choice, int channels)
{
    const SinogramView& sinograms = arguments.sinograms;
    const bool half = arguments.kernel.precision == Precision::half;
    const cl_ulong count = static_cast<cl_ulong>(sinograms.projections) * sinograms.bins;
    const std::string source = std::string(commonSource) + passSource;
    const std::string& options = choice.passOptions;
    slot.filtered = in.filterRows(slot.raw, slices, sinograms.projections, sinograms.bins,
                                  arguments.filter ? &arguments.filter->weights : nullptr, half, source, options);
    interleaved.reserve(device.context(), count * channels * (half ? 2 : 4));
    const cl_kernel interleave = device.kernel(source, options, "interleave");
    setArguments(interleave, slot.raw.get(), slices, count, in.largest.get(), interleaved.get());
    enqueue(compute.get(), interleave, {groupsOf(count)}, threads);
    if (!choice.readsImage)
        return;
    image.reserve(device.context(),
                  {.channels = channels, .half = half, .width = sinograms.bins, .height = sinograms.projections});
    image.fill(compute.get(), interleaved.get());
}

// Returns the number of splits. Small images don't fill the device, so their projections are split among more groups.
// Four groups per compute unit hide the latencies.
int ParallelPipeline::Impl::splitsFor(const LaunchArguments& arguments, const KernelChoice& choice) const
{
    if (!choice.isSplittable)
        return 1;
    const int groups = ((arguments.grid.width + choice.tileColumns - 1) / choice.tileColumns) *
                       ((arguments.grid.height + choice.tileRows - 1) / choice.tileRows);
    const int most = std::clamp(arguments.sinograms.projections / 64, 1, mostSplits);
    return std::clamp((4 * device.facts().computeUnits + groups - 1) / groups, 1, most);
}

// Launches the kernel for a block of rays. Only kernels that read them from constant memory have several.
Event ParallelPipeline::Impl::launch(const LaunchArguments& arguments, const Slot& slot, const KernelChoice& choice,
                                     cl_kernel kernel, const Shape& shape, std::size_t block)
{
    const cl_mem out = shape.splits > 1 ? partial.get() : slot.image.get();
    switch (choice.rays) {
    case RayInput::both:
        setArguments(kernel, image.get(), interleaved.get(), fixedRays.get(), singleRays.get(), shape.projections,
                     cl_int{device.facts().computeUnits}, shape, in.largest.get(), out);
        break;
    case RayInput::constantFloats: {
        cl_int first = 0;
        for (std::size_t k = 0; k < block; ++k)
            first += raysInBlock[k];
        setArguments(kernel, image.get(), rayBlocks[block].get(), first,
                     std::min(raysInBlock[block], shape.projections), shape, in.largest.get(), out);
        break;
    }
    case RayInput::floats:
        setArguments(kernel, image.get(), singleRays.get(), cl_int{0}, shape.projections, shape, in.largest.get(), out);
        break;
    case RayInput::fixedPoint:
        setArguments(kernel, choice.readsImage ? image.get() : interleaved.get(), fixedRays.get(), shape.projections,
                     shape, in.largest.get(), out);
        break;
    }
    const auto tiles = [](int pixels, int tile) { return static_cast<std::size_t>((pixels + tile - 1) / tile); };
    return enqueue(compute.get(), kernel,
                   {tiles(arguments.grid.width, choice.tileColumns), tiles(arguments.grid.height, choice.tileRows),
                    static_cast<std::size_t>(shape.splits)},
                   threads);
}

void ParallelPipeline::Impl::startKernels(const LaunchArguments& arguments, Slot& slot, const KernelChoice& choice)
{
    const int slices = arguments.kernel.slicesPerPass;
    const cl_ulong pixels = static_cast<cl_ulong>(arguments.grid.width) * arguments.grid.height * slices;
    slot.image.reserve(device.context(), pixels * sizeof(float));
    const Shape shape{arguments.grid.width, arguments.grid.height, splitsFor(arguments, choice),
                      arguments.sinograms.projections, arguments.sinograms.bins};
    if (shape.splits > 1)
        partial.reserve(device.context(), pixels * shape.splits * sizeof(float));
    const cl_kernel kernel = device.kernel(choice.source, choice.options, choice.name);
    in.load(kernel, [&] {
        Shape none = shape;
        none.projections = 0;
        return launch(arguments, slot, choice, kernel, none, 0);
    });
    const std::size_t blocks = choice.rays == RayInput::constantFloats ? raysInBlock.size() : 1;
    slot.kernels.clear();
    for (std::size_t k = 0; k < blocks; ++k)
        slot.kernels.push_back(launch(arguments, slot, choice, kernel, shape, k));
    if (shape.splits > 1) {
        const cl_kernel sum = device.kernel(std::string(commonSource) + passSource, choice.passOptions, "sumSplits");
        setArguments(sum, partial.get(), slot.image.get(), pixels, shape.splits, in.largest.get());
        slot.kernels.push_back(enqueue(compute.get(), sum, {groupsOf(pixels)}, threads));
    }
    check(functions().clFlush(compute.get()), "clFlush");
}

void ParallelPipeline::Impl::startDownload(const LaunchArguments& arguments, const Slot& slot, int first, int slices)
{
    const std::size_t slice = static_cast<std::size_t>(arguments.grid.width) * arguments.grid.height;
    in.downloads.download(arguments.image.values.data() + first * slice, slot.image, 0, slice * slices * sizeof(float),
                          slot.kernels.back());
}

// Waits for all work. Afterwards nothing uses the launch's memory.
void ParallelPipeline::Impl::abandon() noexcept
{
    in.abandon();
    for (Slot& slot : slots)
        slot.kernels.clear();
}

ParallelPipeline::ParallelPipeline(DeviceInUse& device) : m_impl(std::make_unique<Impl>(device)) {}

ParallelPipeline::~ParallelPipeline() = default;

DeviceTimes ParallelPipeline::run(ParallelMethod method, const LaunchArguments& arguments)
{
    Impl& d = *m_impl;
    const SinogramView& sinograms = arguments.sinograms;
    const int perPass = arguments.kernel.slicesPerPass;
    const int passes = (sinograms.slices + perPass - 1) / perPass;
    const bool half = arguments.kernel.precision == Precision::half;
    const Stopwatch watch;
    const double compiledBefore = d.device.compileSeconds();
    const bool isCoarse = arguments.grid.step > 1;
    const bool isImage = readsImage(method, arguments.kernel, isCoarse);
    const int channels = isImage ? d.device.channelsFor(perPass, half) : perPass;
    const Device& facts = d.device.facts();
    require(!isImage || (sinograms.bins <= facts.mostImageWidth && sinograms.projections <= facts.mostImageHeight),
            "the OpenCL device " + facts.name + " has images of at most " + std::to_string(facts.mostImageWidth) +
                " bins × " + std::to_string(facts.mostImageHeight) + " projections; choose `alu-opencl`");
    const KernelChoice choice = chosenKernel(method, arguments.kernel, channels, isCoarse, facts);
    DeviceTimes times;
    const auto slicesOf = [&](int pass) { return std::min(perPass, sinograms.slices - pass * perPass); };
    const auto finish = [&](int pass) {
        const Slot& slot = d.slots[pass % slotCount];
        d.in.downloads.wait();
        if (arguments.filter)
            times.filterSeconds += slot.filtered.seconds();
        times.kernelSeconds += secondsBetween(slot.kernels.front(), slot.kernels.back());
    };
    try {
        d.abandon();
        d.setRays(arguments);
        if (arguments.filter)
            d.in.filter.prepare(arguments.filter->settings, sinograms.bins,
                                static_cast<std::size_t>(std::min(perPass, sinograms.slices)) * sinograms.projections,
                                d.compute.get());
        const TouchAhead touching(arguments.image.values.data(), arguments.image.values.size() * sizeof(float));
        d.startUpload(arguments, d.slots[0], 0, slicesOf(0));
        for (int pass = 0; pass < passes; ++pass) {
            throwIfStopped(arguments.stop);
            Slot& slot = d.slots[pass % slotCount];
            d.prepareSinograms(arguments, slot, slicesOf(pass), choice, channels);
            d.startKernels(arguments, slot, choice);
            if (pass + 1 < passes)
                d.startUpload(arguments, d.slots[(pass + 1) % slotCount], (pass + 1) * perPass, slicesOf(pass + 1));
            if (pass > 0)
                finish(pass - 1);
            d.startDownload(arguments, slot, pass * perPass, slicesOf(pass));
            if (arguments.progress)
                arguments.progress(static_cast<double>(pass) / passes);
        }
        finish(passes - 1);
    } catch (...) {
        d.abandon();
        throw;
    }
    times.compileSeconds = d.device.compileSeconds() - compiledBefore;
    times.totalSeconds = watch.seconds() - times.compileSeconds;
    return times;
}

} // namespace engine::opencl
