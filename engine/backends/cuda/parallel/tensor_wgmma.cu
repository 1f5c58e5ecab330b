// SPDX-License-Identifier: GPL-3.0-or-later
// Method `tensor` on compute capability 9.0: products of 64 pixels × 16 bins by 16 bins × slices (wgmma).
#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/parallel/kernels.h"
#include "engine/backends/cuda/parallel/output.cuh"
#include "engine/backends/cuda/parallel/tensor.h"
#include "engine/backends/cuda/parallel/tensor_choice.cuh"
#include "engine/backends/cuda/parallel/tensor_lane_weights.cuh"
#include "engine/backends/cuda/parallel/tensor_tiles.cuh"
#include "engine/backends/cuda/parallel/tensor_wgmma.cuh"

namespace engine::cuda
{

namespace
{

// A tile is 8 × 8 pixels. It meets fewer than 12 bins, or 14 for cubic interpolation, which reaches further. A window
// of 16 bins always holds them.
constexpr int side = 8, window = 16;

// Division of a block. `warpgroups` warpgroups multiply; one more copies the data.
struct Division {
    int warpgroups, tilesX; // tilesX: per warpgroup, in a row; the sums of a tile take slices/2 registers per thread
    int turns;              // products in flight per warpgroup, each of one tile
    int stageProjections, stages;
    int bodyStages; // unrolled; a warpgroup waits for its last product only between bodies
};

// Measured on an H200, 2026-11-21 (tests/bench/results/tensor.md).
constexpr Division divisionFor(int slices, Interpolation interpolation, bool half)
{
    if (!half)
        return {3, slices == 64 ? 2 : slices == 32 ? 4 : 8, 2, 4, 4, 2};
    if (interpolation == Interpolation::cubic) // its weights take longer than the products
        return {3, slices == 64 ? 3 : slices == 32 ? 5 : 8, 2, 8, 4, 1};
    switch (slices) {
    case 128:
        return {2, 3, 2, 4, 4, 2};
    case 64:
        return {2, 6, 2, 8, 3, 2};
    case 32:
        return {3, 5, 2, 8, 4, 1};
    default:
        return {3, 8, 2, 8, 4, 1};
    }
}

template <int slices, Interpolation interpolation, bool half>
struct Shape {
    static constexpr int met = interpolation == Interpolation::cubic ? 14 : 12; // bins of a window that have a weight
    static constexpr Division division = divisionFor(slices, interpolation, half);
    static constexpr int warpgroups = division.warpgroups, tilesX = division.tilesX, turns = division.turns;
    static constexpr int stageProjections = division.stageProjections, stages = division.stages;
    static constexpr int bodyProjections = division.bodyStages * stageProjections;
    // Registers per thread; all threads together must not exceed the multiprocessor's 65536.
    static constexpr int registers = warpgroups == 2 ? 232 : 160, producerRegisters = warpgroups == 2 ? 40 : 32;
    // Number of arrivals by which a warpgroup tells that it has read a stage: one per lane, which racecheck can follow;
    // for float data one per warp, because one per lane would cost 5 %.
    static constexpr int releases = half ? 128 : 4;
    static constexpr int width = tilesX * side, height = warpgroups * side;
    static constexpr int tiles = tilesX * warpgroups;
    static constexpr int planeSlices = slices < 64 ? slices : 64;
    static constexpr int pieces = slices / planeSlices * (half ? 1 : 2); // copies per segment: one per plane and part
    static constexpr int bins = widestSegment(side, window, width, height);
    static constexpr int pieceBytes = bins * planeSlices * 2;
    static constexpr int slotBytes =
        (pieceBytes * pieces + 1023) / 1024 * 1024; // the swizzle counts from multiples of 1024
    static_assert(bins <= TensorLayout::margin);

    // Values that the producers compute for each stage.
    struct Tables {
        alignas(16) uint2 tile[stageProjections][tiles]; // low word of the descriptor, fraction of a bin
        float3 ray[stageProjections];                    // per column, per row, position of pixel (0, 0) in its tile
    };
    struct Shared {
        alignas(1024) unsigned char data[stages][stageProjections][slotBytes];
        Tables tables[stages];
        unsigned long long full[stages], empty[stages];
    };
    // Descriptor of a window: swizzle, stride from 8 bins to the next 8, stride between planes.
    static constexpr unsigned descriptorLow = (slices == 8 ? 128u : slices == 128 ? pieceBytes : 16u) / 16 << 16;
    static constexpr unsigned descriptorHigh = planeSlices | (planeSlices == 64   ? 1u << 30
                                                              : planeSlices == 32 ? 2u << 30
                                                              : planeSlices == 16 ? 3u << 30
                                                                                  : 0u);
};

struct Block {
    int column, row; // of the block's first pixel
    int first, last; // projections
    const unsigned char* plane;
};

template <int slices, Interpolation interpolation, bool half>
__device__ void produce(const KernelArguments& arguments, const Block& block, const TensorLayout& layout,
                        typename Shape<slices, interpolation, half>::Shared& shared)
{
    using S = Shape<slices, interpolation, half>;
    const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    constexpr int entries = S::stageProjections * S::tiles, rounds = (entries + 95) / 96;
    int stage = 0;
    unsigned phase = 1;
    // Whole bodies are processed; beyond the last projection the data are zeros.
    const int end =
        block.first + (block.last - block.first + S::bodyProjections - 1) / S::bodyProjections * S::bodyProjections;
    for (int p0 = block.first; p0 < end; p0 += S::stageProjections) {
        const unsigned full = sharedAddress(&shared.full[stage]), empty = sharedAddress(&shared.empty[stage]);
        if (warp == 0) {
            unsigned bytes = 0;
            const unsigned char* source = block.plane;
            if (lane < S::stageProjections) {
                const int p = min(p0 + lane, block.last - 1);
                Segment segment = segmentOf<side, S::met, S::width, S::height>(
                    TileRay<side, interpolation>(arguments.rays[p]), block.column, block.row, layout.paddedBins);
                if (p0 + lane >= block.last)
                    segment.source = 0; // the zeros of the margin
                bytes = segment.bins * S::planeSlices * 2;
                source += p * layout.rowBytes + static_cast<std::size_t>(segment.source) * S::planeSlices * 2;
            }
            const unsigned all = __reduce_add_sync(~0u, bytes) * S::pieces;
            barrierWait(empty, phase);
            if (lane == 0)
                barrierArriveExpecting(full, all);
            __syncwarp();
            if (bytes)
#pragma unroll
                for (int piece = 0; piece < S::pieces; ++piece)
                    bulkCopy(sharedAddress(shared.data[stage][lane]) + piece * S::pieceBytes,
                             source + piece * layout.partBytes, bytes, full);
        } else {
            auto& tables = shared.tables[stage];
            const int begin = threadIdx.x % 128 - 32;
            uint2 value[rounds];
            float3 inside;
#pragma unroll
            for (int r = 0; r < rounds; ++r) {
                const int k = min(begin + r * 96, entries - 1), j = k / S::tiles, tile = k % S::tiles;
                const TileRay<side, interpolation> ray(arguments.rays[min(p0 + j, block.last - 1)]);
                const long long position =
                    ray.tile(block.column + tile % S::tilesX * side, block.row + tile / S::tilesX * side);
                const int bin = ray.bin(position) - firstBin<side, S::width, S::height>(ray, block.column, block.row);
                value[r] = {(sharedAddress(shared.data[stage][j]) + bin * S::planeSlices * 2) >> 4 | S::descriptorLow,
                            fractionBits<interpolation, half>(ray.fraction(position))};
            }
            if (begin < S::stageProjections)
                inside = insideTile(TileRay<side, interpolation>(arguments.rays[min(p0 + begin, block.last - 1)]));
            barrierWait(empty, phase);
#pragma unroll
            for (int r = 0; r < rounds; ++r)
                if (begin + r * 96 < entries)
                    (&tables.tile[0][0])[begin + r * 96] = value[r];
            if (begin < S::stageProjections)
                tables.ray[begin] = inside;
            barrierArrive(full); // each lane arrives for what it wrote
        }
        if (++stage == S::stages) {
            stage = 0;
            phase ^= 1;
        }
    }
}

template <int slices, Interpolation interpolation, bool half>
__device__ void consume(const KernelArguments& arguments, const Block& block,
                        typename Shape<slices, interpolation, half>::Shared& shared, float* image, float scale)
{
    using S = Shape<slices, interpolation, half>;
    const int group = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    const int g = lane / 4, q = lane % 4;
    const float column = g, row = 2 * warp, bin = 2 * q;

    // Tensor cores truncate sums instead of rounding them, which would show after some hundred additions. So for float
    // data they sum only one body, and the sums of the bodies are added as ordinary floats.
    float sum[S::tilesX][slices / 2], total[half ? 1 : S::tilesX][half ? 1 : slices / 2];
#pragma unroll
    for (int t = 0; t < S::tilesX; ++t)
#pragma unroll
        for (int i = 0; i < slices / 2; ++i) {
            sum[t][i] = 0;
            if constexpr (!half)
                total[t][i] = 0;
        }
    // The products of a body are one unrolled sequence, because the compiler can't follow products in flight from one
    // iteration of a loop to the next. What a step needs is read one step before. A stage is released when its
    // last products have ended: as soon as products of the following stage reuse their registers.
    constexpr int steps = S::bodyProjections * S::tilesX;
    constexpr int early = S::tilesX > 1 ? S::tilesX - 2 : 0; // the tile at which the next ray is read
    unsigned high[S::turns][4], low[S::turns][4];
    unsigned stage = 0, phase = 0;
    const auto release = [&](unsigned barrier) {
        __syncwarp();
        if (S::releases == 128 || lane == 0)
            barrierArrive(barrier);
    };
    const auto next = [&] {
        if (++stage == S::stages) {
            stage = 0;
            phase ^= 1;
        }
    };
#pragma unroll 1
    for (int p = block.first; p < block.last; p += S::bodyProjections) {
        barrierWait(sharedAddress(&shared.full[stage]), phase);
        const auto* tables = &shared.tables[stage];
        unsigned done = sharedAddress(&shared.empty[stage]);
        LaneWeights<interpolation, half> weights(tables->ray[0], column, row, bin);
        uint2 tile = tables->tile[0][group * S::tilesX];
        float3 ray;
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            const int t = step % S::tilesX, j = step / S::tilesX % S::stageProjections, turn = step % S::turns;
            const uint2 now = tile;
            if (t == early && step / S::tilesX + 1 < steps / S::tilesX) {
                if (j + 1 == S::stageProjections) {
                    next();
                    barrierWait(sharedAddress(&shared.full[stage]), phase);
                }
                ray = shared.tables[stage].ray[(j + 1) % S::stageProjections];
            }
            if (step + 1 < steps) {
                if (t + 1 == S::tilesX && j + 1 == S::stageProjections)
                    tables = &shared.tables[stage];
                tile = tables->tile[(step + 1) / S::tilesX % S::stageProjections]
                                   [group * S::tilesX + (step + 1) % S::tilesX];
            }
            productsWait<S::turns - 1>(); // for the products that read the registers of this turn
            if (step >= S::tilesX * S::stageProjections && j * S::tilesX + t == S::turns - 1) {
                release(done); // of the previous stage
                done = sharedAddress(&shared.empty[stage]);
            }
            weights.fill(now.y, high[turn], low[turn]);
            productsBegin();
            const std::uint64_t b = static_cast<std::uint64_t>(S::descriptorHigh) << 32 | now.x;
            if (half || step >= S::tilesX)
                product<true>(sum[t], high[turn], b);
            else
                product<false>(sum[t], high[turn], b);
            if constexpr (!half) {
                product<true>(sum[t], high[turn], b + S::pieceBytes / 16);
                if constexpr (interpolation != Interpolation::nearest)
                    product<true>(sum[t], low[turn], b);
            }
            productsCommit();
            if (t + 1 == S::tilesX && step + 1 < steps)
                weights = LaneWeights<interpolation, half>(ray, column, row, bin);
        }
        productsWait<0>();
        release(done);
        if constexpr (!half)
#pragma unroll
            for (int t = 0; t < S::tilesX; ++t)
#pragma unroll
                for (int i = 0; i < slices / 2; ++i)
                    total[t][i] += sum[t][i];
        next();
    }
    const std::size_t size = static_cast<std::size_t>(arguments.width) * arguments.height;
#pragma unroll
    for (int t = 0; t < S::tilesX; ++t) {
        const int x = block.column + t * side + g, y = block.row + group * side + 2 * warp;
#pragma unroll
        for (int i = 0; i < slices / 2; ++i) {
            const int yi = y + i / 2 % 2, slice = i / 4 * 8 + 2 * q + i % 2;
            float value;
            if constexpr (half)
                value = sum[t][i];
            else
                value = total[t][i];
            if (x < arguments.width && yi < arguments.height)
                image[slice * size + static_cast<std::size_t>(yi) * arguments.width + x] = value * scale;
        }
    }
}

template <int slices, Interpolation interpolation, bool half>
__global__ void __launch_bounds__(128 * (Shape<slices, interpolation, half>::warpgroups + 1), 1)
    tensorKernel(const __grid_constant__ KernelArguments arguments, const __grid_constant__ TensorLayout layout)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    using S = Shape<slices, interpolation, half>;
    extern __shared__ unsigned char memory[];
    auto& shared = *reinterpret_cast<typename S::Shared*>(memory + (1024 - sharedAddress(memory) % 1024) % 1024);
    const DeviceSinograms& data = arguments.sinograms;
    const int planes = data.slices / slices, plane = blockIdx.z % planes, split = blockIdx.z / planes;
    const auto [first, last] = projectionsOf(arguments, split);
    const Block block{static_cast<int>(blockIdx.x) * S::width, static_cast<int>(blockIdx.y) * S::height, first, last,
                      static_cast<const unsigned char*>(data.data) + plane * S::pieces * layout.partBytes};
    // The last bins of a window have no weight and aren't copied; they must only not be NaN.
    for (unsigned k = threadIdx.x; k < sizeof shared.data / 16; k += blockDim.x)
        reinterpret_cast<uint4*>(shared.data)[k] = {};
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (threadIdx.x == 0) {
        for (int k = 0; k < S::stages; ++k) {
            barrierInit(sharedAddress(&shared.full[k]), 1 + 96);
            barrierInit(sharedAddress(&shared.empty[k]), S::releases * S::warpgroups);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x / 128 == S::warpgroups) {
        fewerRegisters<S::producerRegisters>();
        produce<slices, interpolation, half>(arguments, block, layout, shared);
    } else {
        moreRegisters<S::registers>();
        const std::size_t size = static_cast<std::size_t>(arguments.width) * arguments.height;
        float* image = (arguments.splits > 1 ? arguments.partial + split * size * data.slices : arguments.image) +
                       static_cast<std::size_t>(plane) * slices * size;
        consume<slices, interpolation, half>(arguments, block, shared, image,
                                             arguments.splits > 1 ? 1.0f : *arguments.unscale);
    }
#endif
}

template <int slices, Interpolation interpolation, bool half>
dim3 gridOf(const KernelArguments& arguments)
{
    using S = Shape<slices, interpolation, half>;
    return dim3((arguments.width + S::width - 1) / S::width, (arguments.height + S::height - 1) / S::height,
                arguments.sinograms.slices / slices * arguments.splits);
}

template <int slices, Interpolation interpolation, bool half>
int blocks(const KernelArguments& arguments)
{
    const dim3 grid = gridOf<slices, interpolation, half>(arguments);
    return static_cast<int>(grid.x * grid.y * grid.z);
}

template <int slices, Interpolation interpolation, bool half>
void launch(const KernelArguments& arguments)
{
    using S = Shape<slices, interpolation, half>;
    const TensorLayout layout(arguments.sinograms.slices, arguments.sinograms.bins, arguments.sinograms.projections,
                              arguments.sinograms.precision);
    constexpr int bytes = sizeof(typename S::Shared) + 1024;
    static_assert(bytes <= 227 * 1024);
    const auto kernel = tensorKernel<slices, interpolation, half>;
    SINOSCOPE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    constexpr int threads = 128 * (S::warpgroups + 1);
    noteLaunch(kernel, threads, bytes);
    kernel<<<gridOf<slices, interpolation, half>(arguments), threads, bytes, arguments.stream>>>(arguments, layout);
    SINOSCOPE_CUDA_LAUNCHED();
    sumSplits(arguments);
}

struct WgmmaKernels {
    int allSlices;

    template <int slices, Interpolation interpolation, bool half>
    Kernels operator()() const
    {
        // 128 slices have the same weights as 64. A kernel for 128 computes them only once; it is used where its sums
        // fit the registers.
        if constexpr (slices == 64 && half && interpolation != Interpolation::cubic)
            if (allSlices % 128 == 0)
                return {launch<128, interpolation, half>, blocks<128, interpolation, half>};
        return {launch<slices, interpolation, half>, blocks<slices, interpolation, half>};
    }
};

Kernels kernelsFor(const KernelArguments& arguments)
{
    return tensorKernelsFor(arguments, WgmmaKernels{arguments.sinograms.slices});
}

} // namespace

void launchTensorWgmma(const KernelArguments& arguments)
{
    kernelsFor(arguments).launch(arguments);
}

int blocksTensorWgmma(const KernelArguments& arguments)
{
    return kernelsFor(arguments).blocks(arguments);
}

} // namespace engine::cuda
