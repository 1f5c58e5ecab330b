// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of `texture`, as Chilingaryan et al. 2020 print them (Algorithms 2 to 5). A block has 16×16 pixels and 256
// threads.
#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/parallel/ray_block.cuh"
#include "engine/filter/dispatch.h"

namespace engine::cuda
{

namespace
{

constexpr int tile = 16;

struct Pixel {
    int column, row;
};

// Returns a pixel of 4×4 along the Z curve, from the lowest four bits of the thread's index.
__device__ inline Pixel zOrdered()
{
    const int thread = threadIdx.x;
    return {(thread & 1) | ((thread >> 1) & 2), ((thread >> 1) & 1) | ((thread >> 2) & 2)};
}

// Algorithm 1 with the first mapping of Algorithm 2: the upper four bits of a thread's index are its square of 4×4
// pixels.
template <int slices>
__global__ void __launch_bounds__(256)
    zOrderKernel(const __grid_constant__ KernelArguments arguments, const __grid_constant__ RayBlock block)
{
    const Pixel z = zOrdered();
    const int column = blockIdx.x * tile + 4 * ((threadIdx.x >> 4) & 3) + z.column;
    const int row = blockIdx.y * tile + 4 * (threadIdx.x >> 6) + z.row;
    sumPixel<slices>(arguments, block, row, column);
}

// Sums of one thread in Algorithm 3: four pixels, four rows apart, from every fourth projection. The upper two bits of
// its index select the first projection, the next two its square of 4×4 pixels.
template <int slices>
class FourPixels
{
  public:
    __device__ FourPixels(cudaTextureObject_t texture, int column0, int row0)
        : m_texture(texture), m_column(column0 + column()), m_row(row0 + zOrdered().row)
    {
    }

    __device__ static int column() { return 4 * ((threadIdx.x >> 4) & 3) + zOrdered().column; }
    // The same for a warp; the shuffle tells the compiler so.
    __device__ static int part() { return __shfl_sync(~0u, threadIdx.x >> 6, 0); }

    // perRow: of the ray, by which h grows from row to row.
    __device__ void add(float start, float perColumn, float perRow, int projection)
    {
        float h = fmaf(m_column, perColumn, fmaf(m_row, perRow, start)) + 0.5f;
#pragma unroll
        for (int q = 0; q < 4; ++q, h += 4 * perRow)
            cuda::add(m_sums[q], tex2D<FloatVector<slices>>(m_texture, h, projection + 0.5f));
    }

    // Adds the sums of the four parts and stores them, sixteen pixels of a row at a time.
    template <bool byShuffles>
    __device__ void reduceAndStore(const KernelArguments& arguments, int column0, int row0, bool more) const
    {
        __shared__ Sum<slices> parts[64][4], result[tile][tile];
        const int thread = threadIdx.x, of = thread % 4, pixel = thread / 4;
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            parts[tile * zOrdered().row + column()][part()] = m_sums[q];
            __syncthreads();
            if constexpr (byShuffles) {
                Sum<slices> sum = parts[pixel][of];
#pragma unroll
                for (int distance = 2; distance >= 1; distance /= 2)
#pragma unroll
                    for (int s = 0; s < slices; ++s)
                        sum.value[s] += __shfl_xor_sync(~0u, sum.value[s], distance, 4);
                if (of == 0)
                    result[4 * q + pixel / tile][pixel % tile] = sum;
            } else {
#pragma unroll
                for (int distance = 2; distance >= 1; distance /= 2) {
                    if (of < distance)
                        addScaled(parts[pixel][of], parts[pixel][of + distance], 1);
                    __syncwarp();
                }
                if (of == 0)
                    result[4 * q + pixel / tile][pixel % tile] = parts[pixel][0];
            }
            __syncthreads();
        }
        store<slices>(arguments, blockIdx.z, row0 + thread / tile, column0 + thread % tile,
                      result[thread / tile][thread % tile], more);
    }

  private:
    cudaTextureObject_t m_texture;
    float m_column, m_row;
    Sum<slices> m_sums[4] = {};
};

// Algorithm 3; with byShuffles Algorithm 4.
template <int slices, bool byShuffles>
__global__ void __launch_bounds__(256)
    fourProjectionsKernel(const __grid_constant__ KernelArguments arguments, const __grid_constant__ RayBlock block)
{
    const int column0 = blockIdx.x * tile, row0 = blockIdx.y * tile;
    const auto [first, last] = projectionsOf(block, blockIdx.z, arguments.splits);
    FourPixels<slices> pixels(arguments.texture, column0, row0);
#pragma unroll 4
    for (int p = first + pixels.part(); p < last; p += 4) {
        const float4 ray = block.ray(p);
        pixels.add(ray.x, ray.y, ray.z, p);
    }
    pixels.template reduceAndStore<byShuffles>(arguments, column0, row0, block.adds());
}

// Algorithm 5: the constants come from global memory, 256 projections at a time.
template <int slices>
__global__ void __launch_bounds__(256) sharedConstantsKernel(const __grid_constant__ KernelArguments arguments)
{
    __shared__ float2 sines[256];
    __shared__ float starts[256];
    const int column0 = blockIdx.x * tile, row0 = blockIdx.y * tile;
    const auto [first, last] = projectionsOf(arguments, blockIdx.z);
    FourPixels<slices> pixels(arguments.texture, column0, row0);
    for (int begin = first; begin < last; begin += 256) {
        if (begin + threadIdx.x < last) {
            const float4 ray = arguments.rays[begin + threadIdx.x].single;
            sines[threadIdx.x] = {ray.y, ray.z};
            starts[threadIdx.x] = ray.x;
        }
        __syncthreads();
        const int count = min(256, last - begin);
#pragma unroll 4
        for (int p = pixels.part(); p < count; p += 4)
            pixels.add(starts[p], sines[p].x, sines[p].y, begin + p);
        __syncthreads();
    }
    pixels.template reduceAndStore<false>(arguments, column0, row0, false);
}

template <int slices>
void launch(const KernelArguments& arguments)
{
    const dim3 grid((arguments.width + tile - 1) / tile, (arguments.height + tile - 1) / tile, arguments.splits);
    if (arguments.textureStep == TextureStep::sharedConstants) {
        noteLaunch(sharedConstantsKernel<slices>, 256);
        sharedConstantsKernel<slices><<<grid, 256, 0, arguments.stream>>>(arguments);
        SINOSCOPE_CUDA_LAUNCHED();
        sumSplits(arguments);
        return;
    }
    const auto kernel = arguments.textureStep == TextureStep::zOrder    ? zOrderKernel<slices>
                        : arguments.textureStep == TextureStep::shuffle ? fourProjectionsKernel<slices, true>
                                                                        : fourProjectionsKernel<slices, false>;
    noteLaunch(kernel, 256);
    launchByRayBlocks(arguments,
                      [&](const RayBlock& block) { kernel<<<grid, 256, 0, arguments.stream>>>(arguments, block); });
}

} // namespace

void launchTextureStep(const KernelArguments& arguments)
{
    forSlices(arguments.sinograms.slices, [&]<int slices>() { launch<slices>(arguments); });
}

} // namespace engine::cuda
