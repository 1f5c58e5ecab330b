// SPDX-License-Identifier: GPL-3.0-or-later
// One tile of the ALU kernel, used by `alu` and `hybrid`.
#pragma once

#include "engine/backends/cuda/parallel/alu_entry.cuh"

namespace engine::cuda
{

// Returns the number of bins that a tile can meet, with a bin of margin on either side: the tile's diagonal, one bin
// for rounding down its lowest position, two margins and the right neighbour.
constexpr int segmentBins(int columns, int rows)
{
    const int square = (columns - 1) * (columns - 1) + (rows - 1) * (rows - 1);
    int diagonal = 0; // rounded up
    while (diagonal * diagonal < square)
        ++diagonal;
    return (diagonal + 4 + 7) / 8 * 8;
}

// oversampling_: 0 if the factor is known only at run time.
template <AluTuning tuning_, AluMode mode_, int slices_, bool half_, int oversampling_ = 0>
struct AluShape {
    static constexpr AluTuning tuning = tuning_;
    static constexpr AluMode mode = mode_;
    static constexpr int slices = slices_;
    static constexpr bool half = half_;
    static constexpr int oversampling = oversampling_;
    using Words = BinWords<tuning, mode, slices>;
    static constexpr int columns = tuning.columns, rows = tuning.rows;
    static constexpr int stage = tuning.stage;
    static constexpr int threads = tuning.threads;
    static constexpr int blocks = tuning.blocks;
    static constexpr int bins = segmentBins(columns, rows);
    // A warp has a patch of 8×4 pixels, or of 32×1.
    static constexpr int patchColumns = tuning.order == AluOrder::lines ? 32 : 8;
    static constexpr int patchesAcross = columns / patchColumns;
    static constexpr int rowStep = 32 / patchColumns * (threads / 32) / patchesAcross;
    static constexpr int pixels = rows / rowStep; // per thread, rowStep rows apart

    // Returns the bytes of a projection's segment in one buffer.
    __host__ __device__ static constexpr int bufferBytes(int factor)
    {
        const int samples = mode != AluMode::oversampled ? 1 : oversampling ? oversampling : factor;
        return bins * samples * Words::entryBytes;
    }
    static constexpr int columnBytes = tuning.columnCache ? columns * 4 : 0;
    static constexpr std::size_t sharedBytes(int factor)
    {
        return 2 * stage * (sizeof(float4) + columnBytes + Words::buffers * bufferBytes(factor));
    }
};

// Sums of the projections first…last−1 over one tile, whose first pixel is (row0, column0). shared: memory of
// Shape::sharedBytes. A thread has the pixels (row() + q·rowStep, column()).
template <class Shape>
class AluTile
{
    static constexpr AluTuning tuning = Shape::tuning;
    static constexpr AluMode mode = Shape::mode;
    static constexpr int slices = Shape::slices;

  public:
    __device__ AluTile(char* shared, const KernelArguments& arguments, int row0, int column0)
        : m_arguments(arguments), m_row0(row0), m_column0(column0),
          m_bufferBytes(Shape::bufferBytes(arguments.oversampling)), m_rays(reinterpret_cast<float4*>(shared)),
          m_columns(reinterpret_cast<float*>(m_rays + 2 * Shape::stage)),
          m_segments(reinterpret_cast<char*>(m_rays + 2 * Shape::stage) + 2 * Shape::stage * Shape::columnBytes)
    {
    }

    // Half a warp has 4×4 pixels, so that its bins lie in as few banks as possible at any angle (Chilingaryan et al.
    // 2020, section 6.3).
    __device__ static int column()
    {
        const int lane = threadIdx.x & 31;
        const int inPatch = tuning.order == AluOrder::lines    ? lane
                            : tuning.order == AluOrder::zOrder ? (lane & 1) + ((lane >> 1) & 2) + ((lane >> 2) & 4)
                                                               : (lane & 3) + ((lane >> 2) & 4);
        return inPatch + Shape::patchColumns * ((threadIdx.x >> 5) % Shape::patchesAcross);
    }
    __device__ static int row()
    {
        const int lane = threadIdx.x & 31;
        const int inPatch = tuning.order == AluOrder::lines    ? 0
                            : tuning.order == AluOrder::zOrder ? ((lane >> 1) & 1) + ((lane >> 2) & 2)
                                                               : (lane >> 2) & 3;
        return inPatch + 32 / Shape::patchColumns * ((threadIdx.x >> 5) / Shape::patchesAcross);
    }

    __device__ void sum(int first, int last, Sum<slices> (&sums)[Shape::pixels]) const
    {
        int buffer = 0;
        if (first < last)
            fill(0, first, last);
        for (int p = first; p < last; p += Shape::stage, buffer ^= 1) {
            __syncthreads(); // the stage is complete, and the other buffer is no longer read
            if (p + Shape::stage < last)
                fill(buffer ^ 1, p + Shape::stage, last);
            accumulate(buffer, p, min(Shape::stage, last - p), sums);
        }
    }

  private:
    // Each warp fills every eighth projection; its first lanes find the lowest bins, one projection per lane.
    // (Fetching before a stage is summed and writing after it gained less than 1 % on an H200.)
    __device__ void fill(int buffer, int first, int last) const
    {
        constexpr int warps = Shape::threads / 32;
        const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
        const int own = warp + lane * warps;
        int base = 0;
        if (own < Shape::stage && first + own < last) {
            const Ray& ray = m_arguments.rays[first + own];
            const double corner = ray.start + m_column0 * ray.perColumn + m_row0 * ray.perRow;
            const double least =
                corner + min(0.0, ray.perColumn * (Shape::columns - 1)) + min(0.0, ray.perRow * (Shape::rows - 1));
            base = static_cast<int>(floor(least)) - 1;
            m_rays[buffer * Shape::stage + own] = localRay(corner - base, ray);
        }
        __syncwarp(); // makes the rays visible, for the column cache
        for (int j = 0, k = warp; k < Shape::stage && first + k < last; ++j, k += warps)
            fillProjection(buffer * Shape::stage + k, first + k, __shfl_sync(~0u, base, j));
    }

    __device__ void fillProjection(int place, int projection, int base) const
    {
        constexpr int rounds = (Shape::bins + 31) / 32;
        const int lane = threadIdx.x & 31;
        if constexpr (tuning.columnCache) {
            const float4 ray = m_rays[place];
#pragma unroll
            for (int x = lane; x < Shape::columns; x += 32)
                m_columns[place * Shape::columns + x] = fmaf(static_cast<float>(x), ray.y, ray.x);
        }
        char* segment = m_segments + place * m_bufferBytes * Shape::Words::buffers;
        if constexpr (tuning.fill == AluFill::texture && mode == AluMode::oversampled) {
            fillSamples(segment, projection, base);
            return;
        }
        constexpr bool half = Shape::half && tuning.fill == AluFill::loads; // the texture unit returns floats
        const DeviceSinograms& sinograms = m_arguments.sinograms;
        const char* row = static_cast<const char*>(sinograms.data) + projection * sinograms.pitchBytes;
        RawBin<slices, half> bins[rounds];
#pragma unroll
        for (int r = 0; r < rounds; ++r)
            if constexpr (tuning.fill == AluFill::texture)
                bins[r] = textureBin<slices>(m_arguments.texture, base + lane + 32 * r, projection);
            else
                bins[r] = fetchBin<slices, half>(sinograms, row, base + lane + 32 * r);
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const int i = lane + 32 * r;
            putBin<tuning, mode, slices, Shape::oversampling>(segment, m_bufferBytes, bins, r, i, i < Shape::bins,
                                                              i - middle - 0.5f, m_arguments.oversampling);
        }
    }

    // Fills one projection with samples that the texture unit interpolates: its weights have 8 bits, enough for
    // quarters.
    __device__ void fillSamples(char* segment, int projection, int base) const
    {
        using Words = typename Shape::Words;
        const int samples = Shape::oversampling ? Shape::oversampling : m_arguments.oversampling;
        for (int i = threadIdx.x & 31; i < Shape::bins * samples; i += 32) {
            const float bin = base + 0.5f + static_cast<float>(i) / samples;
            const Sum<slices> value = unpack(tex2D<FloatVector<slices>>(m_arguments.texture, bin, projection + 0.5f));
            Words words;
#pragma unroll
            for (int s = 0; s < slices; ++s)
                words.value[s] = value.value[s];
            words.store(segment + i * Words::entryBytes, m_bufferBytes);
        }
    }

    __device__ float4 localRay(double h, const Ray& ray) const
    {
        const float columnStep = ray.single.y, rowStep = ray.single.z;
        if constexpr (mode == AluMode::nearest)
            return {static_cast<float>(h) + tieUp, columnStep, rowStep, 0};
        else if constexpr (mode == AluMode::oversampled) {
            const float k = m_arguments.oversampling;
            return {static_cast<float>(h * m_arguments.oversampling) + tieUp, k * columnStep, k * rowStep, 0};
        } else
            return {static_cast<float>(h - middle - 0.5), columnStep, rowStep, 0};
    }

    __device__ void accumulate(int buffer, int first, int count, Sum<slices> (&sums)[Shape::pixels]) const
    {
        constexpr int entryBytes = Shape::Words::entryBytes;
        constexpr bool fromMiddle = mode == AluMode::linear || mode == AluMode::cubic;
        const float x = column(), y = row();
        const int segmentBytes = m_bufferBytes * Shape::Words::buffers;
        SharedAddress base = entryBase<tuning>(sharedAddress(m_segments) + buffer * Shape::stage * segmentBytes +
                                                   (fromMiddle ? middle * entryBytes : 0),
                                               entryBytes);
        const float4* rays = m_rays + buffer * Shape::stage;
        const float* columns = m_columns + buffer * Shape::stage * Shape::columns + column();
#pragma unroll Shape::tuning.unroll
        for (int k = 0; k < count; ++k, base += segmentBytes) {
            float h0, rowStep;
            if constexpr (tuning.columnCache) {
                rowStep = rays[k].z;
                h0 = fmaf(y, rowStep, columns[k * Shape::columns]);
            } else {
                float4 ray = rays[k];
                if constexpr (!tuning.sineCache) {
                    const float4 sines = __ldg(&m_arguments.rays[first + k].single);
                    const float samples = mode == AluMode::oversampled ? m_arguments.oversampling : 1;
                    ray.y = samples * sines.y;
                    ray.z = samples * sines.z;
                }
                rowStep = ray.z;
                h0 = fmaf(x, ray.y, fmaf(y, ray.z, ray.x));
            }
#pragma unroll
            for (int q = 0; q < Shape::pixels; ++q)
                addEntry<tuning, mode, slices>(sums[q], base, fmaf(static_cast<float>(q * Shape::rowStep), rowStep, h0),
                                               m_bufferBytes);
        }
    }

    static constexpr int middle = Shape::bins / 2;
    const KernelArguments& m_arguments;
    int m_row0, m_column0, m_bufferBytes;
    float4* m_rays;
    float* m_columns;
    char* m_segments;
};

} // namespace engine::cuda
