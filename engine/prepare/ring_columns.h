// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of a sinogram (the values of one bin over the projections): access to a few columns at a time, and sorting.
#pragma once

#include "engine/base/parallel_for.h"
#include "engine/base/uninitialized.h"
#include "engine/prepare/rings.h"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace engine
{

constexpr int columnsAtOnce = 16; // bins; their values in one projection fill a cache line

// Some columns of a sinogram, [column][projection].
struct Columns {
    int first = 0, count = 0, projections = 0;
    std::vector<float> values;

    float* column(int k) { return values.data() + static_cast<std::size_t>(k) * projections; }
};

inline void fetchColumns(const SinogramPlane& plane, Columns& to)
{
    to.projections = plane.projections;
    to.values.resize(static_cast<std::size_t>(columnsAtOnce) * plane.projections);
    for (int p = 0; p < plane.projections; ++p)
        for (int k = 0; k < to.count; ++k)
            to.column(k)[p] = plane.line(p)[to.first + k];
}

inline void storeColumns(Columns& from, const SinogramPlane& plane)
{
    for (int p = 0; p < plane.projections; ++p)
        for (int k = 0; k < from.count; ++k)
            plane.line(p)[from.first + k] = from.column(k)[p];
}

// Calls work(Columns&) for all bins, a few columns at a time.
template <typename Work>
void forEachColumns(const SinogramPlane& plane, const Work& work)
{
    tbb::enumerable_thread_specific<Columns> rooms;
    parallelFor(0, (plane.bins + columnsAtOnce - 1) / columnsAtOnce, [&](int block) {
        Columns& columns = rooms.local();
        columns.first = block * columnsAtOnce;
        columns.count = std::min(columnsAtOnce, plane.bins - columns.first);
        fetchColumns(plane, columns);
        work(columns);
    });
}

// A sinogram with the values of each bin in ascending order.
struct Sorted {
    Values values;               // [rank][bin]
    Buffer<std::uint32_t> order; // [bin][rank]: index of the projection

    SinogramPlane plane(const SinogramPlane& like) { return {values.data(), like.projections, like.bins}; }
};

Sorted sorted(const SinogramPlane& sinogram);

// Writes the values back in the order of the projections, for the chosen bins (all if `chosen` is empty). values:
// [rank][bin].
void putBack(const Values& values, const Sorted& sorted, const std::vector<char>& chosen,
             const SinogramPlane& sinogram);

// Running median over `size` bins, of each line separately.
Values medianAcross(const SinogramPlane& plane, int size);

} // namespace engine
