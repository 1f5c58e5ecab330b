// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/plane/row_group_filler.h"

#include "engine/base/error.h"
#include "engine/data/half_scale.h"
#include "engine/prepare/prepare.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace engine::cuda
{

namespace
{

constexpr std::size_t uploadBytes = 128 << 20; // of the projections that are uploaded, filtered and stored together

std::size_t valuesOfProjection(const PlaneSum& job)
{
    return static_cast<std::size_t>(job.groups.rows) * job.groups.bins;
}

std::size_t bytesOfRecorded(const RawRows& raw) // per projection
{
    return static_cast<std::size_t>(raw.rows.count) * raw.bins * raw.data.type().bytes;
}

// Returns how many projections a block of `count` projections has.
int projectionsPerBlock(const PlaneSum& job, int count)
{
    const std::size_t fitting = uploadBytes / (sizeof(float) * valuesOfProjection(job));
    return static_cast<int>(std::clamp<std::size_t>(fitting, 1, count));
}

int blocksOf(const PlaneSum& job, const StoredPart& part)
{
    const int each = projectionsPerBlock(job, part.count);
    return (part.count + each - 1) / each;
}

// Returns the projections of one block.
RowRange projectionsOf(const PlaneSum& job, const StoredPart& part, int index)
{
    const int each = projectionsPerBlock(job, part.count), from = index * each;
    return {part.first + from, std::min(each, part.count - from)};
}

RayWeights weightsOfSome(const PlaneSum& job, const RowRange& range)
{
    std::vector<int> projections(range.count);
    std::iota(projections.begin(), projections.end(), range.first);
    return weightsOf(job.launch.filter->weights, projections, job.groups.bins);
}

} // namespace

void RowGroupFiller::begin(const PlaneSum& job)
{
    const DevicePreparation* preparation = job.launch.preparation;
    require(preparation || !job.launch.sinograms.floats.empty(), "the launch has no floats");
    m_prepareTimes.clear();
    m_filterTimes.clear();
    m_prepareSeconds = m_filterSeconds = 0;
    const int count = projectionsPerBlock(job, job.launch.sinograms.projections);
    for (Incoming& slot : m_incoming) {
        slot.raw.reserve(valuesOfProjection(job) * count);
        if (preparation)
            slot.recorded.reserve(bytesOfRecorded(preparation->raw()) * count);
    }
    if (preparation)
        m_lines.begin(preparation->program(), preparation->raw().rows.count, preparation->raw().bins, m_stream);
    if (!job.launch.filter)
        return;
    m_filter.prepare(job.launch.filter->settings, weightsOfSome(job, {0, count}).projections, job.groups.bins,
                     m_stream);
    m_filter.reserve(static_cast<std::size_t>(job.groups.rows) * count);
}

void RowGroupFiller::startUpload(const PlaneSum& job, const StoredPart& part, int index)
{
    Incoming& slot = m_incoming[index % 2];
    const SinogramView& data = job.launch.sinograms;
    const RowRange range = projectionsOf(job, part, index);
    m_uploaded += range.count;
    if (const DevicePreparation* preparation = job.launch.preparation) {
        const RawRows& raw = preparation->raw();
        if (job.launch.waitFor)
            job.launch.waitFor(range.first + range.count);
        const std::size_t each = bytesOfRecorded(raw), bytes = each * range.count;
        return m_uploads.start(slot.recorded.data(), raw.data.bytes() + range.first * each, {bytes, bytes, 1},
                               slot.used);
    }
    const std::size_t line = sizeof(float) * data.bins;
    m_uploads.start(reinterpret_cast<char*>(slot.raw.data()),
                    reinterpret_cast<const char*>(data.floats.data()) + range.first * line,
                    {line * range.count, line * data.projections, static_cast<std::size_t>(data.slices)}, slot.used);
}

GpuFilter::Rows RowGroupFiller::filter(const PlaneSum& job, float* lines, const RowRange& projections)
{
    const PlaneTimer& time = m_filterTimes.emplace_back();
    time.begun.record(m_stream);
    const RayWeights weights = weightsOfSome(job, projections);
    m_weigher.run(weights, lines, job.groups.rows, job.groups.bins, m_stream);
    m_filter.prepare(job.launch.filter->settings, weights.projections, job.groups.bins, m_stream);
    return m_filter.runRows(lines, job.groups.rows, m_stream);
}

void RowGroupFiller::store(const PlaneSum& job, const StoredPart& part, int index)
{
    Incoming& slot = m_incoming[index % 2];
    const RowRange range = projectionsOf(job, part, index);
    if (const DevicePreparation* preparation = job.launch.preparation) {
        const PlaneTimer& time = m_prepareTimes.emplace_back();
        time.begun.record(m_stream);
        m_lines.run(slot.recorded.data(), preparation->raw().data.type(), 0, job.groups.rows, range.count,
                    slot.raw.data(), m_stream);
        time.ended.record(m_stream);
    }
    PlaneStore store;
    store.projections = range.count;
    store.groups = job.groups;
    store.first = range.first - part.first;
    store.largest = m_largest.data() + index;
    store.half = job.half;
    store.data = part.memory->data();
    store.pitch = part.memory->pitch();
    if (job.launch.filter) {
        const GpuFilter::Rows rows = filter(job, slot.raw.data(), range);
        SINOSCOPE_CUDA(cudaMemcpyAsync(m_largest.data() + index, rows.largest, sizeof(unsigned),
                                       cudaMemcpyDeviceToDevice, m_stream));
        store.filtered = rows.values;
    } else {
        if (job.half)
            findLargest(slot.raw.data(), valuesOfProjection(job) * range.count, m_largest.data() + index, m_stream);
        store.filtered = slot.raw.data();
    }
    storeRowGroups(store, m_stream);
    slot.used.record(m_stream);
    if (job.launch.filter)
        m_filterTimes.back().ended.record(m_stream);
}

void RowGroupFiller::fill(const PlaneSum& job, const StoredPart& part, std::vector<float>& unscale)
{
    const int count = blocksOf(job, part);
    m_largest.reserve(count);
    SINOSCOPE_CUDA(cudaMemsetAsync(m_largest.data(), 0, count * sizeof(unsigned), m_stream));
    for (const Incoming& slot : m_incoming)
        slot.used.record(m_stream);
    startUpload(job, part, 0);
    for (int index = 0; index < count; ++index) {
        m_uploads.wait(m_stream);
        throwIfStopped(job.launch.stop);
        if (index + 1 < count) // while the device prepares, filters and stores this one
            startUpload(job, part, index + 1);
        store(job, part, index);
    }
    takeScales(job, part, unscale);
    addTimes(m_prepareTimes, m_prepareSeconds);
    addTimes(m_filterTimes, m_filterSeconds);
}

bool RowGroupFiller::finish(const PlaneSum& job)
{
    return job.launch.preparation && m_lines.finish(m_stream);
}

void RowGroupFiller::takeScales(const PlaneSum& job, const StoredPart& part, std::vector<float>& unscale)
{
    std::vector<unsigned> bits(blocksOf(job, part));
    SINOSCOPE_CUDA(cudaMemcpyAsync(bits.data(), m_largest.data(), bits.size() * sizeof(unsigned),
                                   cudaMemcpyDeviceToHost, m_stream));
    SINOSCOPE_CUDA(cudaStreamSynchronize(m_stream));
    for (int index = 0; index < static_cast<int>(bits.size()); ++index) {
        const RowRange range = projectionsOf(job, part, index);
        const float factor = job.half ? static_cast<float>(1 / halfScaleFor(std::bit_cast<float>(bits[index]))) : 1.0F;
        std::fill_n(unscale.begin() + range.first, range.count, factor);
    }
}

void RowGroupFiller::addTimes(std::deque<PlaneTimer>& times, double& seconds)
{
    for (const PlaneTimer& time : times)
        seconds += time.ended.secondsSince(time.begun);
    times.clear();
}

} // namespace engine::cuda
