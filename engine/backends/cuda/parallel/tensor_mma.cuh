// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel of `tensor` from compute capability 8.0 on: products of 16 pixels × 16 bins by 16 bins × 8 slices
// (mma.sync).
#pragma once

#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/parallel/output.cuh"
#include "engine/backends/cuda/parallel/tensor_lane_weights.cuh"
#include "engine/backends/cuda/parallel/tensor_tiles.cuh"
#include "engine/base/error.h"

#include <type_traits>

namespace engine::cuda
{

// Division of a block.
struct MmaDivision {
    int warpsX, warpsY;
    int tilesX, tilesY;   // per warp; an even number in all, because the bins of two tiles are read together
    int stageProjections; // copied together
    int blocks;           // per multiprocessor, at least: bounds the registers
};

// Ray relative to a block's first tile and its segment's first bin. Positions are whole multiples of 2⁻⁴⁰ bins, or of
// 2⁻²⁴ bins if the weights are halves anyway (a segment has fewer than 128 bins).
template <Interpolation interpolation, bool half>
struct alignas(16) BlockRay {
    static constexpr bool fine = !half || interpolation == Interpolation::nearest;
    using Position = std::conditional_t<fine, long long, int>;
    static constexpr int digits = fine ? 40 : 24;
    Position start, perColumn, perRow;
    float3 inside; // from insideTile()

    BlockRay() = default;
    template <int side>
    __device__ BlockRay(const TileRay<side, interpolation>& ray, int column, int row, int firstBin)
        : start(scaled(ray.tile(column, row) - (static_cast<long long>(firstBin) << ray.digits))),
          perColumn(scaled(ray.perColumn)), perRow(scaled(ray.perRow)), inside(insideTile(ray))
    {
    }
    // Returns where the window of a tile begins, counted from the beginning of the segment, before which it must not
    // begin. Positions in units of 2⁻²⁴ bins are rounded down and so can be negative; they are limited to 0.
    __device__ Position tile(int column, int row) const
    {
        const Position position = start + column * perColumn + row * perRow;
        return fine ? position : max(position, Position(0));
    }
    __device__ static int bin(Position position) { return static_cast<int>(position >> digits); }
    __device__ static unsigned fraction(Position position) // in 2⁻³² bins
    {
        return fine ? static_cast<unsigned>(position >> (digits - 32))
                    : static_cast<unsigned>(position) << (32 - digits) % 32;
    }

  private:
    __device__ static Position scaled(long long value) { return static_cast<Position>(value >> (40 - digits)); }
};

// A tile is 4 × 4 pixels. It meets at most 7 bins, so that one product takes 8 bins of each of two projections. For
// cubic interpolation, which reaches further, it meets 9 bins, and one product takes 16 bins of one projection.
template <int slices_, Interpolation interpolation_, bool half_, MmaDivision division>
struct MmaShape {
    static constexpr int slices = slices_;
    static constexpr Interpolation interpolation = interpolation_;
    static constexpr bool half = half_;
    static constexpr int side = 4, warpsX = division.warpsX, warpsY = division.warpsY, warps = warpsX * warpsY;
    static constexpr int threads = 32 * warps, minBlocks = division.blocks;
    static constexpr bool paired = interpolation != Interpolation::cubic;
    static constexpr int window = paired ? 8 : 16;
    static constexpr int tilesX = division.tilesX, tilesY = division.tilesY, tilesEach = tilesX * tilesY;
    static constexpr int width = warpsX * tilesX * side, height = warpsY * tilesY * side;
    static constexpr int tiles = warps * tilesEach;
    static constexpr int parts = half ? 1 : 2;
    static constexpr int stageProjections = division.stageProjections, stages = 2;
    static constexpr int products = paired ? stageProjections / 2 : stageProjections; // per tile and stage
    static constexpr int bins = widestSegment(side, window, width, height);
    static constexpr int rowBytes = slices * 2, partBytes = bins * rowBytes;
    static constexpr int alignment = 16 * slices; // the permutation counts from multiples of 8 bins
    static_assert(bins <= TensorLayout::margin && tilesEach % 2 == 0);

    // A product consists of two halves of 8 bins. These are the values for both halves, computed once for
    // all warps of a block.
    struct Tables {
        uint4 pixels[products][32];      // per lane: the PixelPairs of both halves
        uint2 fraction[products][tiles]; // from fractionBits()
        uint2 address[products][tiles];  // of the first bin in shared memory
    };
    struct Shared {
        alignas(128) unsigned char data[stages][stageProjections][parts][partBytes];
        alignas(16) Tables tables[stages];
        BlockRay<interpolation, half> ray[2][stageProjections]; // for the stage that is copied next
        Segment segment[2][stageProjections];
    };
    static constexpr int bytes = sizeof(Shared) + alignment;
};

[[maybe_unused]] __device__ inline unsigned shared32(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Loads four 8 × 8 matrices of halves, transposed.
[[maybe_unused]] __device__ inline void loadBins(unsigned (&b)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                 : "r"(address));
}

[[maybe_unused]] __device__ inline void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Copier of stages to shared memory: `look` finds where the segments of a stage lie, `bring` copies them one stage
// later.
template <class S>
struct Stager {
    using Pair = PixelPair<S::interpolation, S::half>;
    static_assert(sizeof(Pair) == sizeof(uint2));
    const KernelArguments& arguments;
    const TensorLayout& layout;
    typename S::Shared& shared;
    const unsigned char* plane;
    int column, row, first, last;

    // Returns whether this thread finds a segment of the stage. Warps take turns; each lane has one projection.
    __device__ bool looks(int stage) const
    {
        return threadIdx.x / 32 == stage % S::warps && threadIdx.x % 32 < S::stageProjections;
    }
    __device__ Ray rayOf(int stage) const
    {
        const int p = first + stage * S::stageProjections + static_cast<int>(threadIdx.x % 32);
        return arguments.rays[min(p, last - 1)];
    }
    __device__ void look(int stage, const Ray& ofProjection) const
    {
        const int j = threadIdx.x % 32, p = first + stage * S::stageProjections + j;
        const TileRay<S::side, S::interpolation> ray(ofProjection);
        Segment segment = segmentOf<S::side, S::window, S::width, S::height>(ray, column, row, layout.paddedBins);
        if (p >= last)
            segment.source = 0; // the zeros of the margin
        shared.ray[stage % 2][j] = {ray, column, row, segment.first};
        shared.segment[stage % 2][j] = segment;
    }
    __device__ void bring(int stage) const
    {
        const int slot = stage % S::stages, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
        for (int round = 0; round < (S::stageProjections + S::warps - 1) / S::warps; ++round) {
            const int j = round * S::warps + warp;
            if (S::stageProjections % S::warps != 0 && j >= S::stageProjections)
                break;
            const Segment segment = shared.segment[stage % 2][j];
            const int p = min(first + stage * S::stageProjections + j, last - 1);
            const unsigned char* source =
                plane + p * layout.rowBytes + static_cast<std::size_t>(segment.source) * S::rowBytes + lane * 16;
            const int bytes = segment.bins * S::rowBytes - lane * 16;
#pragma unroll
            for (int part = 0; part < S::parts; ++part) {
                const unsigned to = shared32(shared.data[slot][j][part]) + lane * 16;
#pragma unroll
                for (int k = 0; k < S::partBytes; k += 32 * 16)
                    if (k < bytes)
                        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + k),
                                     "l"(source + part * layout.partBytes + k)
                                     : "memory");
            }
        }
        auto& tables = shared.tables[slot];
        everyThread<S::products * S::tiles>([&](int k) {
            const int tile = k % S::tiles, product = k / S::tiles;
            const int ofWarp = tile / S::tilesEach, own = tile % S::tilesEach;
            const int x = (ofWarp % S::warpsX * S::tilesX + own % S::tilesX) * S::side;
            const int y = (ofWarp / S::warpsX * S::tilesY + own / S::tilesX) * S::side;
            unsigned fraction[2], address[2];
#pragma unroll
            for (int second = 0; second < 2; ++second) {
                const int j = S::paired ? 2 * product + second : product;
                const auto& ray = shared.ray[stage % 2][j];
                const auto position = ray.tile(x, y);
                fraction[second] = fractionBits<S::interpolation, S::half>(ray.fraction(position));
                address[second] = shared32(shared.data[slot][j][0]) +
                                  (ray.bin(position) + (S::paired ? 0 : 8 * second)) * S::rowBytes;
            }
            tables.fraction[product][tile] = {fraction[0], fraction[1]};
            tables.address[product][tile] = {address[0], address[1]};
        });
        everyThread<S::products * 32>([&](int k) {
            const int of = k % 32, product = k / 32, g = of / 4, q = of % 4;
            uint2 pair[2];
#pragma unroll
            for (int second = 0; second < 2; ++second) {
                const Pair own(shared.ray[stage % 2][S::paired ? 2 * product + second : product].inside, g % 4, g / 4,
                               2 * q + (S::paired ? 0 : 8 * second));
                pair[second] = reinterpret_cast<const uint2&>(own);
            }
            tables.pixels[product][of] = {pair[0].x, pair[0].y, pair[1].x, pair[1].y};
        });
    }

    // Calls work(k) for each k below count, distributed over the threads of the block.
    template <int count, class Work>
    __device__ static void everyThread(const Work& work)
    {
#pragma unroll
        for (int begin = 0; begin < count; begin += S::threads)
            if (begin + S::threads <= count || begin + threadIdx.x < count)
                work(begin + static_cast<int>(threadIdx.x));
    }
};

template <class S>
__global__ void __launch_bounds__(S::threads, S::minBlocks)
    tensorMmaKernel(const __grid_constant__ KernelArguments arguments, const __grid_constant__ TensorLayout layout)
{
#if __CUDA_ARCH__ >= 800
    constexpr int slices = S::slices, groups = slices / 8;
    constexpr bool half = S::half;
    extern __shared__ __align__(128) unsigned char memory[];
    auto& shared = *reinterpret_cast<typename S::Shared*>(memory + (S::alignment - shared32(memory) % S::alignment) %
                                                                       S::alignment);
    const DeviceSinograms& data = arguments.sinograms;
    const int planes = data.slices / slices, plane = blockIdx.z % planes, split = blockIdx.z / planes;
    const auto [first, last] = projectionsOf(arguments, split);
    const Stager<S> stager{arguments,
                           layout,
                           shared,
                           static_cast<const unsigned char*>(data.data) + plane * S::parts * layout.partBytes,
                           static_cast<int>(blockIdx.x) * S::width,
                           static_cast<int>(blockIdx.y) * S::height,
                           first,
                           last};
    const int count = (last - first + S::stageProjections - 1) / S::stageProjections;
    const auto commit = [] { asm volatile("cp.async.commit_group;" ::: "memory"); };

    for (int stage = 0; stage < S::stages; ++stage) {
        if (stage > 0) {
            if (stage <= count)
                stager.bring(stage - 1);
            commit();
        }
        if (stager.looks(stage))
            stager.look(stage, stager.rayOf(stage));
        __syncthreads();
    }

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // ldmatrix loads four matrices; each group of eight lanes supplies the addresses of the rows of one matrix. The
    // matrices are the two halves of the products of two tiles.
    const unsigned laneBytes = lane % 8 * S::rowBytes;
    float sum[S::tilesEach][groups][4] = {}, total[half ? 1 : S::tilesEach][half ? 1 : groups][4] = {};
    for (int stage = 0; stage < count; ++stage) {
        asm volatile("cp.async.wait_group %0;" ::"n"(S::stages - 2) : "memory");
        __syncthreads();
        const bool looks = stager.looks(stage + S::stages);
        Ray ray;
        if (looks)
            ray = stager.rayOf(stage + S::stages);
        if (stage + S::stages - 1 < count)
            stager.bring(stage + S::stages - 1);
        commit();
        const auto& tables = shared.tables[stage % S::stages];
#pragma unroll
        for (int product = 0; product < S::products; ++product) {
            const uint4 pixels = tables.pixels[product][lane];
            const uint2 halves[2] = {{pixels.x, pixels.y}, {pixels.z, pixels.w}};
            const auto& a0 = reinterpret_cast<const typename Stager<S>::Pair&>(halves[0]);
            const auto& a1 = reinterpret_cast<const typename Stager<S>::Pair&>(halves[1]);
#pragma unroll
            for (int t = 0; t < S::tilesEach; t += 2) {
                const int tile = warp * S::tilesEach + t;
                const uint4 fractions = reinterpret_cast<const uint4&>(tables.fraction[product][tile]);
                unsigned address =
                    reinterpret_cast<const unsigned*>(&tables.address[product][tile])[lane / 8] + laneBytes;
                address ^= address >> 3 & (groups - 1) << 4; // as in permutedGroup()
                unsigned high[2][4], low[2][4];
#pragma unroll
                for (int k = 0; k < 8; ++k) {
                    const unsigned fraction = k < 2   ? fractions.x
                                              : k < 4 ? fractions.y
                                              : k < 6 ? fractions.z
                                                      : fractions.w;
                    const WeightPair pair = (k / 2 % 2 ? a1 : a0).weights(k % 2, fraction);
                    high[k / 4][k % 4] = pair.high;
                    low[k / 4][k % 4] = pair.low;
                }
#pragma unroll
                for (int group = 0; group < groups; ++group) {
                    unsigned b[4];
                    loadBins(b, address ^ group << 4);
#pragma unroll
                    for (int k = 0; k < 2; ++k) {
                        multiply(sum[t + k][group], high[k], b[2 * k], b[2 * k + 1]);
                        if constexpr (!half && S::interpolation != Interpolation::nearest)
                            multiply(sum[t + k][group], low[k], b[2 * k], b[2 * k + 1]);
                    }
                    if constexpr (!half) {
                        loadBins(b, (address ^ group << 4) + S::partBytes);
#pragma unroll
                        for (int k = 0; k < 2; ++k)
                            multiply(sum[t + k][group], high[k], b[2 * k], b[2 * k + 1]);
                    }
                }
            }
        }
        // Tensor cores truncate sums instead of rounding them, which would show after some hundred additions.
        if constexpr (!half)
            if ((stage + 1) * S::stageProjections % 8 == 0 || stage + 1 == count)
#pragma unroll
                for (int t = 0; t < S::tilesEach; ++t)
#pragma unroll
                    for (int k = 0; k < groups; ++k)
#pragma unroll
                        for (int i = 0; i < 4; ++i) {
                            total[t][k][i] += sum[t][k][i];
                            sum[t][k][i] = 0;
                        }
        if (looks)
            stager.look(stage + S::stages, ray);
    }
    const int g = lane / 4, q = lane % 4;
    const std::size_t size = static_cast<std::size_t>(arguments.width) * arguments.height;
    float* image = (arguments.splits > 1 ? arguments.partial + split * size * data.slices : arguments.image) +
                   static_cast<std::size_t>(plane) * slices * size;
    const float scale = arguments.splits > 1 ? 1.0f : *arguments.unscale;
#pragma unroll
    for (int t = 0; t < S::tilesEach; ++t) {
        const int x = stager.column + (warp % S::warpsX * S::tilesX + t % S::tilesX) * S::side + g % 4;
        const int y = stager.row + (warp / S::warpsX * S::tilesY + t / S::tilesX) * S::side + g / 4;
#pragma unroll
        for (int k = 0; k < groups; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int yi = y + i / 2 * 2, slice = k * 8 + 2 * q + i % 2;
                float value = sum[t][k][i];
                if constexpr (!half)
                    value = total[t][k][i];
                if (x < arguments.width && yi < arguments.height)
                    image[slice * size + static_cast<std::size_t>(yi) * arguments.width + x] = value * scale;
            }
    }
#endif
}

template <class S>
dim3 mmaGrid(const KernelArguments& arguments)
{
    return dim3((arguments.width + S::width - 1) / S::width, (arguments.height + S::height - 1) / S::height,
                arguments.sinograms.slices / S::slices * arguments.splits);
}

template <class S>
int blocksMma(const KernelArguments& arguments)
{
    const dim3 grid = mmaGrid<S>(arguments);
    return static_cast<int>(grid.x * grid.y * grid.z);
}

template <class S>
void launchMma(const KernelArguments& arguments)
{
    static_assert(S::bytes <= 99 * 1024); // shared memory of a block on 8.6 and 8.9
    const auto kernel = tensorMmaKernel<S>;
    const TensorLayout layout(arguments.sinograms.slices, arguments.sinograms.bins, arguments.sinograms.projections,
                              arguments.sinograms.precision);
    cudaFuncAttributes code{};
    SINOSCOPE_CUDA(cudaFuncGetAttributes(&code, kernel));
    if (code.ptxVersion < 80) // the kernel is empty
        throw Error(ErrorKind::device,
                    "this build has no code of `tensor` for this GPU; set CUDAARCHS and build again");
    SINOSCOPE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::bytes));
    noteLaunch(kernel, S::threads, S::bytes);
    kernel<<<mmaGrid<S>(arguments), S::threads, S::bytes, arguments.stream>>>(arguments, layout);
    SINOSCOPE_CUDA_LAUNCHED();
    sumSplits(arguments);
}

} // namespace engine::cuda
