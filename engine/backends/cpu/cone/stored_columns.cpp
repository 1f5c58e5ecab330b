// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cpu/cone/stored_columns.h"

#include "engine/base/parallel_for.h"
#include "engine/data/half_scale.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace engine
{

namespace
{

constexpr int columnsAtOnce = 16; // bins: one cache line of each row is read, and as many lines are written

// Transposes projection p. to: its first bin of zeros.
template <typename Stored, typename Convert>
void transposeProjection(const SinogramView& from, int p, const StoredColumns& out, Stored* to, Convert convert)
{
    std::memset(to, 0, out.projectionStride() * sizeof(Stored));
    Stored* const bin0 = to + binMargin * out.binStride();
    for (int first = 0; first < from.bins; first += columnsAtOnce) {
        const int end = std::min(first + columnsAtOnce, from.bins);
        for (int half = 0; half < out.halves; ++half)
            for (int row = 0; row < out.rows; ++row) {
                const int recorded = half == 0 ? row : from.slices - 1 - row;
                const float* source =
                    from.floats.data() + (static_cast<std::size_t>(recorded) * from.projections + p) * from.bins;
                Stored* target = bin0 + half * out.rowStride + row;
                for (int bin = first; bin < end; ++bin)
                    target[bin * out.binStride()] = convert(source[bin]);
            }
    }
}

} // namespace

void storeColumns(const SinogramView& projections, const StoreColumnsOptions& options, const std::stop_token& stop,
                  StoredColumns& out)
{
    const int rows = projections.slices;
    out.half = options.half;
    out.halves = options.mirrored ? 2 : 1;
    out.rows = options.mirrored ? std::min(rows, (rows - 1) / 2 + 2) : rows;
    out.rowStride = (out.rows + 15) / 16 * 16;
    out.bins = projections.bins;
    const std::size_t valueBytes = out.half ? 2 : 4;
    out.memory.reserve(projections.projections * out.projectionStride() * valueBytes);
    const auto scale = static_cast<float>(options.scale);
    parallelFor(0, projections.projections, [&](int p) {
        if (stop.stop_requested())
            return;
        std::byte* to = out.memory.data() + p * out.projectionStride() * valueBytes;
        if (out.half)
            transposeProjection(projections, p, out, reinterpret_cast<std::uint16_t*>(to),
                                [scale](float value) { return toHalf(value * scale); });
        else if (options.rounded)
            transposeProjection(projections, p, out, reinterpret_cast<float*>(to),
                                [scale](float value) { return fromHalf(toHalf(value * scale)); });
        else
            transposeProjection(projections, p, out, reinterpret_cast<float*>(to), [](float value) { return value; });
    });
}

double halfScaleOf(const SinogramView& projections, const std::stop_token& stop)
{
    std::mutex mutex;
    double largest = 0;
    parallelFor(0, projections.slices, [&](int row) {
        if (stop.stop_requested())
            return;
        const double here =
            largestFinite(projections.floats.subspan(row * projections.sliceSize(), projections.sliceSize()));
        const std::lock_guard lock(mutex);
        largest = std::max(largest, here);
    });
    return halfScaleFor(largest);
}

} // namespace engine
