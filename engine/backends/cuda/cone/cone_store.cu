// SPDX-License-Identifier: GPL-3.0-or-later
// Storage of filtered projections in the layouts of the kernels: transposed, or as layers of a texture with the
// values that symmetries need.
#include "engine/backends/cuda/cone/cone_kernels.h"
#include "engine/backends/cuda/device/check.h"
#include "engine/backends/cuda/device/half_scale.cuh"

#include <algorithm>
#include <cuda_fp16.h>

namespace engine::cuda
{

namespace
{

template <bool half>
struct Stored {
    using Type = float;
    __device__ static float of(float value, float) { return value; }
};
template <>
struct Stored<true> {
    using Type = __half;
    __device__ static __half of(float value, float scale) { return __float2half_rn(scale * value); }
};

struct Batch {
    const float* filtered;
    int rows, projections, bins;

    // Returns a filtered value; 0 beyond the detector.
    __device__ float at(int row, int projection, int bin) const
    {
        return row >= 0 && row < rows && bin >= 0 && bin < bins
                   ? filtered[(static_cast<std::size_t>(row) * projections + projection) * bins + bin]
                   : 0.0f;
    }
};

__global__ void setUnscale(const unsigned* largest, float* unscale, bool half)
{
    *unscale = half ? 1 / halfScaleOf(*largest) : 1.0f;
}

template <bool half>
__global__ void storeRows(Batch batch, const unsigned* largest, typename Stored<half>::Type* out, const ConeStore store)
{
    const int bin = blockIdx.x * 256 + threadIdx.x;
    if (bin >= store.linePitch)
        return;
    const float scale = half ? halfScaleOf(*largest) : 1.0f;
    const int row = blockIdx.y;
    out[blockIdx.z * store.projectionStride + static_cast<std::size_t>(row) * store.linePitch + bin] =
        Stored<half>::of(batch.at(row - store.margin, blockIdx.z, bin - store.margin), scale);
}

// Transposes 32 × 32 values in shared memory. Margins, and rows up to the pitch, are filled with zeros.
template <bool half>
__global__ void storeColumns(Batch batch, const unsigned* largest, typename Stored<half>::Type* out,
                             const ConeStore store, int bins)
{
    __shared__ float tile[32][33];
    const float scale = half ? halfScaleOf(*largest) : 1.0f;
    const int bin = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32;
    for (int k = threadIdx.y; k < 32; k += 8)
        tile[k][threadIdx.x] = batch.at(row + k - store.margin, blockIdx.z, bin - store.margin);
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8) {
        const int turnedBin = blockIdx.x * 32 + k, turnedRow = row + threadIdx.x;
        if (turnedBin < bins && turnedRow < store.linePitch)
            out[blockIdx.z * store.projectionStride + static_cast<std::size_t>(turnedBin) * store.linePitch +
                turnedRow] = Stored<half>::of(tile[threadIdx.x][k], scale);
    }
}

template <bool half, int channels>
__global__ void storeLayers(Batch batch, const unsigned* largest, cudaSurfaceObject_t surface, int firstLayer,
                            bool turned)
{
    using Value = typename Stored<half>::Type;
    const int bin = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y, p = blockIdx.z;
    if (bin >= batch.bins)
        return;
    const float scale = half ? halfScaleOf(*largest) : 1.0f;
    const int mirror = batch.rows - 1 - row;
    struct alignas(sizeof(Value) * channels) Element {
        Value v[channels];
    } element;
    element.v[0] = Stored<half>::of(batch.at(row, p, bin), scale);
    if constexpr (channels >= 2)
        element.v[1] = Stored<half>::of(batch.at(mirror, p, bin), scale);
    if constexpr (channels == 4) {
        const int opposite = p + batch.projections / 2;
        element.v[2] = Stored<half>::of(batch.at(row, opposite, bin), scale);
        element.v[3] = Stored<half>::of(batch.at(mirror, opposite, bin), scale);
    }
    const int x = (turned ? row : bin) * static_cast<int>(sizeof(Element)), y = turned ? bin : row;
    if constexpr (sizeof(Element) == 2)
        surf2DLayeredwrite(reinterpret_cast<const ushort&>(element), surface, x, y, firstLayer + p);
    else if constexpr (sizeof(Element) == 4)
        surf2DLayeredwrite(reinterpret_cast<const unsigned&>(element), surface, x, y, firstLayer + p);
    else if constexpr (sizeof(Element) == 8)
        surf2DLayeredwrite(reinterpret_cast<const uint2&>(element), surface, x, y, firstLayer + p);
    else
        surf2DLayeredwrite(reinterpret_cast<const uint4&>(element), surface, x, y, firstLayer + p);
}

template <bool half>
void storeBatch(const Batch& batch, const unsigned* largest, const ConeStore& store, cudaStream_t stream)
{
    auto* data = static_cast<typename Stored<half>::Type*>(store.data);
    const unsigned across = (batch.bins + 255) / 256, rows = batch.rows, projections = batch.projections;
    const int lines = store.linePitch > 0 ? static_cast<int>(store.projectionStride / store.linePitch) : 0;
    switch (store.layout) {
    case ConeLayout::rows:
        storeRows<half>
            <<<dim3((store.linePitch + 255) / 256, lines, projections), 256, 0, stream>>>(batch, largest, data, store);
        break;
    case ConeLayout::columns:
        storeColumns<half>
            <<<dim3((lines + 31) / 32, (store.linePitch + 31) / 32, projections), dim3(32, 8), 0, stream>>>(
                batch, largest, data, store, lines);
        break;
    case ConeLayout::layers:
    case ConeLayout::turned:
        storeLayers<half, 1><<<dim3(across, rows, projections), 256, 0, stream>>>(
            batch, largest, store.surface, store.firstLayer, store.layout == ConeLayout::turned);
        break;
    case ConeLayout::mirrored:
        storeLayers<half, 2><<<dim3(across, mirroredRows(batch.rows), projections), 256, 0, stream>>>(
            batch, largest, store.surface, store.firstLayer, false);
        break;
    case ConeLayout::fourfold:
        storeLayers<half, 4><<<dim3(across, mirroredRows(batch.rows), projections / 2), 256, 0, stream>>>(
            batch, largest, store.surface, store.firstLayer, false);
        break;
    }
    SINOSCOPE_CUDA_LAUNCHED();
}

__global__ void turnVoxels(const float* __restrict__ from, float* to, std::size_t pixels, int slices)
{
    __shared__ float tile[32][33];
    const std::size_t pixel = static_cast<std::size_t>(blockIdx.x) * 32;
    const int slice = blockIdx.y * 32;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (pixel + k < pixels && slice + static_cast<int>(threadIdx.x) < slices)
            tile[k][threadIdx.x] = from[(pixel + k) * slices + slice + threadIdx.x];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8)
        if (pixel + threadIdx.x < pixels && slice + k < slices)
            to[static_cast<std::size_t>(slice + k) * pixels + pixel + threadIdx.x] = tile[threadIdx.x][k];
}

} // namespace

void storeCone(const float* filtered, int rows, int projections, int bins, const unsigned* largest, float* unscale,
               const ConeStore& store, cudaStream_t stream)
{
    const Batch batch{filtered, rows, projections, bins};
    setUnscale<<<1, 1, 0, stream>>>(largest, unscale, store.half);
    SINOSCOPE_CUDA_LAUNCHED();
    store.half ? storeBatch<true>(batch, largest, store, stream) : storeBatch<false>(batch, largest, store, stream);
}

void turnVolume(const float* from, float* to, int width, int height, int slices, cudaStream_t stream)
{
    const std::size_t pixels = static_cast<std::size_t>(width) * height;
    turnVoxels<<<dim3(static_cast<unsigned>((pixels + 31) / 32), (slices + 31) / 32), dim3(32, 8), 0, stream>>>(
        from, to, pixels, slices);
    SINOSCOPE_CUDA_LAUNCHED();
}

} // namespace engine::cuda
