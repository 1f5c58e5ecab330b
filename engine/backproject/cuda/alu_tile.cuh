// One tile of the ALU kernel, shared by `alu` and `hybrid`.
#pragma once

#include "engine/backproject/cuda/launch.h"
#include "engine/backproject/cuda/vector.cuh"

#include <type_traits>

namespace engine::cuda
{

enum class AluMode { nearest, linear, oversampled, cubic };

// Bins that a tile of `tile`² pixels can meet, with a bin of margin on either side: its diagonal
// is (tile − 1)·√2, plus one for the floor of its least bin, two margins and the neighbour.
constexpr int segmentBins(int tile)
{
    return (((tile - 1) * 1415 / 1000 + 5) + 7) / 8 * 8;
}

// What is kept for a bin in shared memory, for `slices` slices beside each other.
template <AluMode mode, int slices, bool half>
struct Entry;
template <int slices, bool half>
struct Entry<AluMode::nearest, slices, half> {
    std::conditional_t<half, HalfVector<slices>, FloatVector<slices>> value;
};
// Slices apart (000, section 7.2): neighbouring samples lie in neighbouring banks.
template <int slices, bool half>
struct Entry<AluMode::oversampled, slices, half> {
    float value;
};
// value = offset + h·slope, h from the middle of the segment: one multiply-add a slice, no fraction.
template <int slices, bool half>
struct alignas(8 * (slices > 2 ? 2 : slices)) Entry<AluMode::linear, slices, half> {
    float offset[slices], slope[slices];
};
// Four slices: offsets and slopes in two buffers (000, Algorithm 8), or the words of neighbouring bins
// would share banks.
template <bool half>
struct alignas(16) Entry<AluMode::linear, 4, half> {
    float value[4];
};
// value = ((d·f + c)·f + b)·f + a, f the fraction of a bin.
template <int slices, bool half>
struct alignas(16) Entry<AluMode::cubic, slices, half> {
    float4 coefficients[slices];
};

// Bins of one projection as floats, 0 beyond the detector.
template <int slices, bool half>
__device__ inline Sum<slices> binAt(const DeviceSinograms& sinograms, int projection, int bin)
{
    if (bin < 0 || bin >= sinograms.bins)
        return {};
    using Stored = std::conditional_t<half, HalfVector<slices>, FloatVector<slices>>;
    const char* row = static_cast<const char*>(sinograms.data) + projection * sinograms.pitchBytes;
    return unpack(__ldg(reinterpret_cast<const Stored*>(row) + bin));
}
template <>
__device__ inline Sum<4> binAt<4, true>(const DeviceSinograms& sinograms, int projection, int bin)
{
    if (bin < 0 || bin >= sinograms.bins)
        return {};
    const char* row = static_cast<const char*>(sinograms.data) + projection * sinograms.pitchBytes;
    const uint2 raw = __ldg(reinterpret_cast<const uint2*>(row) + bin);
    return unpack(reinterpret_cast<const Half4&>(raw));
}

// Rounding by addition: for |h| < 2²² the last bits of h + roundingMagic are the nearest integer
// (000, section 6.6: floating point instead of conversions).
constexpr float roundingMagic = 12582912.0f; // 1.5·2²³
constexpr int roundingBits = 0x4B400000;

// A tie between two bins goes up, as floor(h + 1/2) does; a rounding of h must not decide it.
constexpr float tieUp = 1.0f / (1 << 17);

// fixedOversampling: 0 when the factor is known only at run time.
template <AluMode mode, int slices, bool half, int tile_, int stage_, int fixedOversampling = 0>
struct AluShape {
    static constexpr int tile = tile_;
    static constexpr int oversampling = fixedOversampling;
    static constexpr int stage = stage_; // projections kept in shared memory at a time, twice
    static constexpr int threads = 256;
    static constexpr int bins = segmentBins(tile);
    static constexpr int pixels = tile * tile / threads; // of a thread, rowStep rows apart
    static constexpr int patchesAcross = tile / 8;       // a warp has a patch of 8×4 pixels
    static constexpr int rowStep = 4 * (threads / 32) / patchesAcross;
    // Buffers beside each other, one of each kind of entry.
    static constexpr int planes = mode == AluMode::oversampled             ? slices
                                  : mode == AluMode::linear && slices == 4 ? 2
                                                                           : 1;
    __host__ __device__ static constexpr int entries(int oversampling)
    {
        if (mode != AluMode::oversampled)
            return bins;
        return bins * (fixedOversampling ? fixedOversampling : oversampling);
    }
    static constexpr std::size_t sharedBytes(int oversampling)
    {
        return 2 * stage * (planes * entries(oversampling) * sizeof(Entry<mode, slices, half>) + sizeof(float4));
    }
};

// Catmull-Rom through b (at f = 0) and c (at f = 1): ((w·f + z)·f + y)·f + x.
__device__ inline float4 catmullRom(float a, float b, float c, float d)
{
    return {b, 0.5f * (c - a), a - 2.5f * b + 2.0f * c - 0.5f * d, 0.5f * (d - a) + 1.5f * (b - c)};
}

// The same as weights of the four bins.
__device__ inline float4 catmullRomWeights(float f)
{
    return {((-0.5f * f + 1.0f) * f - 0.5f) * f, (1.5f * f - 2.5f) * f * f + 1.0f, ((-1.5f * f + 2.0f) * f + 0.5f) * f,
            (0.5f * f - 0.5f) * f * f};
}

// Fills what is kept for bin base + i of a projection (000, Algorithms 6, 7 and 9; section 7.2).
template <AluMode mode, int slices, bool half>
__device__ inline void fillBin(Entry<mode, slices, half>* segment, const DeviceSinograms& sinograms, int projection,
                               int base, int i, int middle, int oversampling, int plane)
{
    Entry<mode, slices, half>& entry = segment[mode == AluMode::oversampled ? i * oversampling : i];
    if constexpr (mode == AluMode::nearest) {
        using Stored = std::conditional_t<half, HalfVector<slices>, FloatVector<slices>>;
        const int bin = base + i;
        entry.value = Stored{};
        if (bin >= 0 && bin < sinograms.bins)
            entry.value = reinterpret_cast<const Stored*>(static_cast<const char*>(sinograms.data) +
                                                          projection * sinograms.pitchBytes)[bin];
    } else if constexpr (mode == AluMode::linear) {
        const Sum<slices> here = binAt<slices, half>(sinograms, projection, base + i);
        const Sum<slices> next = binAt<slices, half>(sinograms, projection, base + i + 1);
        const float position = i - middle - 0.5f;
#pragma unroll
        for (int s = 0; s < slices; ++s) {
            const float slope = next.value[s] - here.value[s];
            const float offset = fmaf(-position, slope, here.value[s]);
            if constexpr (slices == 4) {
                entry.value[s] = offset;
                (&entry)[plane].value[s] = slope;
            } else {
                entry.offset[s] = offset;
                entry.slope[s] = slope;
            }
        }
    } else if constexpr (mode == AluMode::oversampled) {
        const Sum<slices> here = binAt<slices, half>(sinograms, projection, base + i);
        const Sum<slices> next = binAt<slices, half>(sinograms, projection, base + i + 1);
#pragma unroll
        for (int s = 0; s < slices; ++s) {
            float* samples = &(&entry)[s * plane].value;
            const float slope = next.value[s] - here.value[s];
            if (oversampling == 4 && plane % 4 == 0) // the usual case, as one word
                *reinterpret_cast<float4*>(samples) = {here.value[s], fmaf(0.25f, slope, here.value[s]),
                                                       fmaf(0.5f, slope, here.value[s]),
                                                       fmaf(0.75f, slope, here.value[s])};
            else
                for (int k = 0; k < oversampling; ++k)
                    samples[k] = fmaf(static_cast<float>(k) / oversampling, slope, here.value[s]);
        }
    } else {
        Sum<slices> around[4];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            around[k] = binAt<slices, half>(sinograms, projection, base + i + k - 1);
#pragma unroll
        for (int s = 0; s < slices; ++s)
            entry.coefficients[s] =
                catmullRom(around[0].value[s], around[1].value[s], around[2].value[s], around[3].value[s]);
    }
}

// Adds one projection's part to a pixel. h: from the middle of the segment less half a bin (linear,
// cubic), from its beginning (nearest), in units of the samples (oversampled).
template <AluMode mode, int slices, bool half>
__device__ inline void addEntry(Sum<slices>& sum, const Entry<mode, slices, half>* segment, float h, int plane)
{
    const float rounded = h + roundingMagic;
    const Entry<mode, slices, half>& entry = segment[__float_as_int(rounded) - roundingBits];
    if constexpr (mode == AluMode::oversampled) {
#pragma unroll
        for (int s = 0; s < slices; ++s)
            sum.value[s] += (&entry)[s * plane].value;
    } else if constexpr (mode == AluMode::nearest) {
        const Sum<slices> value = unpack(entry.value);
#pragma unroll
        for (int s = 0; s < slices; ++s)
            sum.value[s] += value.value[s];
    } else if constexpr (mode == AluMode::linear) {
        if constexpr (slices == 4) {
            const Entry<mode, slices, half> offset = entry, slope = (&entry)[plane];
#pragma unroll
            for (int s = 0; s < slices; ++s)
                sum.value[s] = fmaf(h, slope.value[s], sum.value[s] + offset.value[s]);
        } else {
            const Entry<mode, slices, half> e = entry; // one load
#pragma unroll
            for (int s = 0; s < slices; ++s)
                sum.value[s] = fmaf(h, e.slope[s], sum.value[s] + e.offset[s]);
        }
    } else {
        const float f = h - (rounded - roundingMagic) + 0.5f;
#pragma unroll
        for (int s = 0; s < slices; ++s) {
            const float4 c = entry.coefficients[s];
            sum.value[s] += fmaf(fmaf(fmaf(c.w, f, c.z), f, c.y), f, c.x);
        }
    }
}

// Sums projections first…last−1 over one tile whose first pixel is (row0, column0). shared:
// Shape::sharedBytes. Thread t has pixels (patch row + q·rowStep, patch column), see tileColumn.
template <class Shape, AluMode mode, int slices, bool half>
class AluTile
{
  public:
    __device__ AluTile(char* shared, const KernelArguments& arguments, int row0, int column0)
        : m_arguments(arguments), m_row0(row0), m_column0(column0), m_entries(Shape::entries(arguments.oversampling)),
          m_rays(reinterpret_cast<float4*>(shared)),
          m_segments(reinterpret_cast<Entry<mode, slices, half>*>(m_rays + 2 * Shape::stage))
    {
    }

    __device__ static int column() { return (threadIdx.x & 7) + 8 * ((threadIdx.x >> 5) % Shape::patchesAcross); }
    __device__ static int row() { return ((threadIdx.x >> 3) & 3) + 4 * ((threadIdx.x >> 5) / Shape::patchesAcross); }

    __device__ void sum(int first, int last, Sum<slices> (&sums)[Shape::pixels]) const
    {
        int buffer = 0;
        if (first < last)
            fill(0, first, last);
        for (int p = first; p < last; p += Shape::stage, buffer ^= 1) {
            __syncthreads(); // the stage is complete, and the other buffer is no longer read
            if (p + Shape::stage < last)
                fill(buffer ^ 1, p + Shape::stage, last);
            accumulate(buffer, min(Shape::stage, last - p), sums);
        }
    }

  private:
    __device__ void fill(int buffer, int first, int last) const
    {
        constexpr int warps = Shape::threads / 32;
        for (int k = threadIdx.x >> 5; k < Shape::stage && first + k < last; k += warps) {
            const Ray& ray = m_arguments.rays[first + k];
            const double corner = ray.start + m_column0 * ray.perColumn + m_row0 * ray.perRow;
            const double least =
                corner + min(0.0, ray.perColumn * (Shape::tile - 1)) + min(0.0, ray.perRow * (Shape::tile - 1));
            const int base = static_cast<int>(floor(least)) - 1;
            if ((threadIdx.x & 31) == 0)
                m_rays[buffer * Shape::stage + k] = localRay(corner - base, ray);
            Entry<mode, slices, half>* segment = m_segments + (buffer * Shape::stage + k) * m_entries * Shape::planes;
            for (int i = threadIdx.x & 31; i < Shape::bins; i += 32)
                fillBin<mode, slices, half>(segment, m_arguments.sinograms, first + k, base, i, middle,
                                            m_arguments.oversampling, m_entries);
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

    __device__ void accumulate(int buffer, int count, Sum<slices> (&sums)[Shape::pixels]) const
    {
        const float x = column(), y = row();
        const Entry<mode, slices, half>* segment = m_segments + buffer * Shape::stage * m_entries * Shape::planes +
                                                   (mode == AluMode::linear || mode == AluMode::cubic ? middle : 0);
#pragma unroll 2
        for (int k = 0; k < count; ++k, segment += m_entries * Shape::planes) {
            const float4 ray = m_rays[buffer * Shape::stage + k];
            const float h0 = fmaf(x, ray.y, fmaf(y, ray.z, ray.x));
#pragma unroll
            for (int q = 0; q < Shape::pixels; ++q)
                addEntry<mode, slices, half>(sums[q], segment, fmaf(static_cast<float>(q * Shape::rowStep), ray.z, h0),
                                             m_entries);
        }
    }

    static constexpr int middle = Shape::bins / 2;
    const KernelArguments& m_arguments;
    int m_row0, m_column0, m_entries;
    float4* m_rays;
    Entry<mode, slices, half>* m_segments;
};

} // namespace engine::cuda
