// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/rows/incoming_rows.h"

#include "engine/prepare/prepare.h"

#include <utility>

namespace engine::cuda
{

void IncomingRows::begin(const LaunchArguments& launch)
{
    m_launch = &launch;
    m_filter.setTransform(launch.kernel.transform);
    m_prepareTimes.clear();
    m_filterTimes.clear();
    m_isTimed = false;
    for (const Slot& slot : m_slots)
        slot.used.record(m_stream);
    if (const DevicePreparation* preparation = launch.preparation)
        m_lines.begin(preparation->program(), preparation->raw().rows.count, preparation->raw().bins, m_stream);
}

void IncomingRows::reserve(int rows, int projections)
{
    for (Slot& slot : m_slots)
        reserve(slot, rows, projections);
    if (!m_launch->filter)
        return;
    const RowBlock block{{0, rows}, {0, projections}};
    m_filter.prepare(m_launch->filter->settings,
                     weightsOf(m_launch->filter->weights, block.all(), m_launch->sinograms.bins).projections,
                     m_launch->sinograms.bins, m_stream);
    m_filter.reserve(static_cast<std::size_t>(rows) * projections);
}

void IncomingRows::reserve(Slot& slot, int rows, int projections)
{
    const std::size_t values = static_cast<std::size_t>(rows) * projections * m_launch->sinograms.bins;
    slot.raw.reserve(values);
    if (const DevicePreparation* preparation = m_launch->preparation)
        slot.recorded.reserve(values * preparation->raw().data.type().bytes);
}

void IncomingRows::startUpload(const RowBlock& block, int number)
{
    Slot& slot = m_slots[static_cast<std::size_t>(number)];
    const SinogramView& data = m_launch->sinograms;
    const auto rows = static_cast<std::size_t>(block.rows.count), runs = std::size_t(block.apart > 0 ? 2 : 1),
               run = static_cast<std::size_t>(block.projections.count), apart = static_cast<std::size_t>(block.apart);
    m_uploaded += block.count();
    reserve(slot, block.rows.count, block.count());
    if (const DevicePreparation* preparation = m_launch->preparation) {
        const RawRows& raw = preparation->raw();
        const std::size_t row = static_cast<std::size_t>(raw.bins) * raw.data.type().bytes,
                          frame = row * raw.rows.count;
        const char* from = raw.data.bytes() + block.projections.first * frame + block.rows.first * row;
        if (m_launch->waitFor)
            m_launch->waitFor(block.projections.first + block.apart + block.projections.count);
        const bool isWhole = block.rows.count == raw.rows.count;
        return m_uploads.start(slot.recorded.data(), from,
                               isWhole ? HostCopies::Pieces{run * frame, apart * frame, runs}
                                       : HostCopies::Pieces{row * rows, frame, run},
                               slot.used);
    }
    const std::size_t line = sizeof(float) * data.bins, slice = line * data.projections;
    const char* from =
        reinterpret_cast<const char*>(data.floats.data()) + block.rows.first * slice + block.projections.first * line;
    auto* to = reinterpret_cast<char*>(slot.raw.data());
    if (block.count() == data.projections && block.apart == 0)
        return m_uploads.start(to, from, {slice * rows, slice * rows, 1}, slot.used);
    m_uploads.start(to, from, {run * line, block.apart > 0 ? apart * line : slice, rows * runs}, slot.used);
}

void IncomingRows::startUpload(std::span<const float> filtered, int number)
{
    Slot& slot = m_slots[static_cast<std::size_t>(number)];
    slot.raw.reserve(filtered.size());
    m_uploads.start(slot.raw.data(), filtered.data(), filtered.size(), slot.used);
}

float* IncomingRows::prepared(const RowBlock& block, int number)
{
    Slot& slot = m_slots[static_cast<std::size_t>(number)];
    if (const DevicePreparation* preparation = m_launch->preparation) {
        const DeviceTimer::Span& time = m_prepareTimes.begin(m_stream);
        m_lines.run(slot.recorded.data(), preparation->raw().data.type(), block, slot.raw.data(), m_stream);
        time.ended.record(m_stream);
    }
    return slot.raw.data();
}

GpuFilter::Rows IncomingRows::filtered(const RowBlock& block, int number, bool isFiltered)
{
    float* lines = prepared(block, number);
    const int bins = m_launch->sinograms.bins;
    beginFilter();
    if (m_launch->filter && !isFiltered) {
        const RayWeights weights = weightsOf(m_launch->filter->weights, block.all(), bins);
        m_weigher.run(weights, lines, block.rows.count, bins, m_stream);
        m_filter.prepare(m_launch->filter->settings, weights.projections, bins, m_stream);
    } else
        setNoFilter(block.count());
    return m_filter.runRows(lines, block.rows.count, m_stream);
}

void IncomingRows::setFilter()
{
    if (!m_launch->filter)
        return setNoFilter(m_launch->sinograms.projections);
    m_filter.prepare(m_launch->filter->settings, m_launch->filter->weights.projections, m_launch->sinograms.bins,
                     m_stream);
}

void IncomingRows::setNoFilter(int projections)
{
    FilterSettings none;
    none.window = Window::none;
    m_filter.prepare(none, std::vector<double>(static_cast<std::size_t>(projections), 1.0), m_launch->sinograms.bins,
                     m_stream);
}

void IncomingRows::beginFilter()
{
    m_filterTimes.begin(m_stream);
    m_isTimed = true;
}

void IncomingRows::used(int number)
{
    m_slots[static_cast<std::size_t>(number)].used.record(m_stream);
    if (std::exchange(m_isTimed, false))
        m_filterTimes.last().ended.record(m_stream);
}

bool IncomingRows::finish()
{
    return m_launch->preparation && m_lines.finish(m_stream);
}

void IncomingRows::abandon() noexcept
{
    m_uploads.abandon();
    m_prepareTimes.clear();
    m_filterTimes.clear();
}

} // namespace engine::cuda
