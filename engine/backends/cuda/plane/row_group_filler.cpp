// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/plane/row_group_filler.h"

#include "engine/base/error.h"
#include "engine/data/half_scale.h"

#include <algorithm>
#include <bit>

namespace engine::cuda
{

namespace
{

constexpr std::size_t uploadBytes = 128 << 20; // of the projections that are uploaded, filtered and stored together

std::size_t valuesOfProjection(const PlaneSum& job)
{
    return static_cast<std::size_t>(job.groups.rows) * job.groups.bins;
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

RowBlock blockOf(const PlaneSum& job, const StoredPart& part, int index)
{
    const int each = projectionsPerBlock(job, part.count), from = index * each;
    return {{0, job.groups.rows}, {part.first + from, std::min(each, part.count - from)}};
}

} // namespace

void RowGroupFiller::begin(const PlaneSum& job)
{
    const DevicePreparation* preparation = job.launch.preparation;
    require(preparation || !job.launch.sinograms.floats.empty(), "the launch has no floats");
    const int count = projectionsPerBlock(job, job.launch.sinograms.projections);
    m_rows.begin(job.launch);
    m_rows.reserve(job.groups.rows, count);
}

void RowGroupFiller::store(const PlaneSum& job, const StoredPart& part, int index)
{
    const RowBlock block = blockOf(job, part, index);
    PlaneStore store;
    store.projections = block.count();
    store.groups = job.groups;
    store.first = block.projections.first - part.first;
    store.largest = m_largest.data() + index;
    store.half = job.half;
    store.data = part.memory->data();
    store.pitch = part.memory->pitch();
    if (job.launch.filter) {
        const GpuFilter::Rows rows = m_rows.filtered(block, index % 2);
        SINOSCOPE_CUDA(cudaMemcpyAsync(m_largest.data() + index, rows.largest, sizeof(unsigned),
                                       cudaMemcpyDeviceToDevice, m_stream));
        store.filtered = rows.values;
    } else {
        store.filtered = m_rows.prepared(block, index % 2);
        if (job.half)
            findLargest(store.filtered, valuesOfProjection(job) * block.count(), m_largest.data() + index, m_stream);
    }
    storeRowGroups(store, m_stream);
    m_rows.used(index % 2);
}

void RowGroupFiller::fill(const PlaneSum& job, const StoredPart& part, std::vector<float>& unscale)
{
    const int count = blocksOf(job, part);
    m_largest.reserve(count);
    SINOSCOPE_CUDA(cudaMemsetAsync(m_largest.data(), 0, count * sizeof(unsigned), m_stream));
    m_rows.startUpload(blockOf(job, part, 0), 0);
    for (int index = 0; index < count; ++index) {
        m_rows.waitForUpload();
        throwIfStopped(job.launch.stop);
        if (index + 1 < count) // while the device prepares, filters and stores this one
            m_rows.startUpload(blockOf(job, part, index + 1), (index + 1) % 2);
        store(job, part, index);
    }
    takeScales(job, part, unscale);
}

void RowGroupFiller::takeScales(const PlaneSum& job, const StoredPart& part, std::vector<float>& unscale)
{
    std::vector<unsigned> bits(blocksOf(job, part));
    SINOSCOPE_CUDA(cudaMemcpyAsync(bits.data(), m_largest.data(), bits.size() * sizeof(unsigned),
                                   cudaMemcpyDeviceToHost, m_stream));
    SINOSCOPE_CUDA(cudaStreamSynchronize(m_stream));
    for (int index = 0; index < static_cast<int>(bits.size()); ++index) {
        const RowRange range = blockOf(job, part, index).projections;
        const float factor = job.half ? static_cast<float>(1 / halfScaleFor(std::bit_cast<float>(bits[index]))) : 1.0F;
        std::fill_n(unscale.begin() + range.first, range.count, factor);
    }
}

} // namespace engine::cuda
