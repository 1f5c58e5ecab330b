// `tensor` from compute capability 8.0: products of 16 pixels × 16 bins by 16 bins × 8 slices (mma.sync).
#include "engine/backproject/cuda/kernels.h"
#include "engine/backproject/cuda/output.cuh"
#include "engine/backproject/cuda/tensor.h"
#include "engine/backproject/cuda/tensor_tiles.cuh"

#include <algorithm>

namespace engine::cuda
{

namespace
{

// A tile is 4 × 4 pixels. It meets at most 7 bins, so that one product takes 8 bins of each of two projections;
// with cubic's reach 9, and one product takes 16 bins of one.
constexpr int side = 4;
constexpr int threads = 256;

template <int slices, Interpolation interpolation, bool half>
struct MmaShape {
    static constexpr bool paired = interpolation != Interpolation::cubic;
    static constexpr int window = paired ? 8 : 16;
    // Tiles of a warp; warps stand four in a row, two rows. For float data the sums are kept twice.
    static constexpr int tilesX = 2, tilesY = half ? 2 : 1, tilesEach = tilesX * tilesY;
    static constexpr int width = 4 * tilesX * side, height = 2 * tilesY * side, tiles = 8 * tilesEach;
    static constexpr int parts = half ? 1 : 2;
    static constexpr int stageProjections = half ? 4 : 2, stages = 3; // 99 KB of shared memory on 8.6 and 8.9
    static constexpr int bins = widestSegment(side, window, width, height);
    static constexpr int partBytes = bins * slices * 2;
    static_assert(bins <= TensorLayout::margin);

    struct Shared {
        alignas(128) unsigned char data[stages][stageProjections][parts][partBytes];
        uint2 tile[stages][stageProjections][tiles]; // bin in the segment, fraction
        float3 inside[stages][stageProjections];
        TileRay<side, interpolation> ray[2][stageProjections]; // of the stage that is brought in next
        Segment segment[2][stageProjections];
    };
};

[[maybe_unused]] __device__ inline unsigned shared32(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Four 8 × 8 matrices of halves, transposed; two where there is only one group of 8 slices.
[[maybe_unused]] __device__ inline void loadBins(unsigned (&b)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                 : "r"(address));
}
[[maybe_unused]] __device__ inline void loadBins(unsigned (&b)[2], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(address));
}

[[maybe_unused]] __device__ inline void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                 "{%0,%1,%2,%3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// The weights of a lane: rows g and g + 8 are pixels (x, y) and (x, y + 2), columns 2q and 2q + 1 bins.
template <Interpolation interpolation, bool half>
struct PixelPair {
    float position[2];

    __device__ PixelPair(float3 inside, float column, float row, float bin)
    {
        position[0] = fmaf(column, inside.x, fmaf(row, inside.y, inside.z)) - bin;
        position[1] = fmaf(2, inside.y, position[0]);
    }
    __device__ WeightPair weights(int k, unsigned fraction) const
    {
        return weightPair<interpolation, !half>(position[k] + __uint_as_float(fraction));
    }
};

template <>
struct PixelPair<Interpolation::linear, true> {
    __half2 offset[2];

    __device__ PixelPair(float3 inside, float column, float row, float bin)
    {
        const float first = fmaf(column, inside.x, fmaf(row, inside.y, inside.z)) - bin;
        const float second = fmaf(2, inside.y, first);
        offset[0] = __floats2half2_rn(first, first - 1);
        offset[1] = __floats2half2_rn(second, second - 1);
    }
    __device__ WeightPair weights(int k, unsigned fraction) const
    {
        return {linearPair(offset[k], reinterpret_cast<const __half2&>(fraction)), 0};
    }
};

template <bool half>
struct PixelPair<Interpolation::nearest, half> {
    int position[2];

    __device__ PixelPair(float3 inside, float column, float row, float bin)
    {
        const int perRow = __float_as_int(inside.y);
        position[0] = static_cast<int>(column) * __float_as_int(inside.x) + static_cast<int>(row) * perRow +
                      __float_as_int(inside.z) - (static_cast<int>(bin) << positionBits);
        position[1] = position[0] + 2 * perRow;
    }
    __device__ WeightPair weights(int k, unsigned fraction) const
    {
        return {nearestPair(position[k] + static_cast<int>(fraction)), 0};
    }
};

// Brings stages in: `look` works out where the segments of a stage lie, `bring` copies them a stage later.
template <int slices, Interpolation interpolation, bool half>
struct Stager {
    using S = MmaShape<slices, interpolation, half>;
    const KernelArguments& arguments;
    const TensorLayout& layout;
    typename S::Shared& shared;
    const unsigned char* plane;
    int column, row, first, last;

    __device__ void look(int stage) const
    {
        if (threadIdx.x >= S::stageProjections)
            return;
        const int j = threadIdx.x, p = first + stage * S::stageProjections + j;
        const TileRay<side, interpolation> ray(arguments.rays[min(p, last - 1)]);
        Segment segment = segmentOf<side, S::window, S::width, S::height>(ray, column, row, layout.paddedBins);
        if (p >= last)
            segment.source = 0; // zeros
        shared.ray[stage % 2][j] = ray;
        shared.segment[stage % 2][j] = segment;
    }
    __device__ void bring(int stage) const
    {
        const int slot = stage % S::stages;
        for (int k = threadIdx.x; k < S::stageProjections * S::tiles; k += threads) {
            const int j = k / S::tiles, tile = k % S::tiles;
            const auto& ray = shared.ray[stage % 2][j];
            const int warp = tile / S::tilesEach, own = tile % S::tilesEach;
            const long long position = ray.tile(column + (warp % 4 * S::tilesX + own % S::tilesX) * side,
                                                row + (warp / 4 * S::tilesY + own / S::tilesX) * side);
            shared.tile[slot][j][tile] = {static_cast<unsigned>(ray.bin(position) - shared.segment[stage % 2][j].first),
                                          fractionBits<interpolation, half>(ray.fraction(position))};
            if (tile == 0)
                shared.inside[slot][j] = insideTile(ray);
        }
#pragma unroll
        for (int j = 0; j < S::stageProjections; ++j) {
            const Segment segment = shared.segment[stage % 2][j];
            const int p = min(first + stage * S::stageProjections + j, last - 1);
            const unsigned char* source =
                plane + p * layout.rowBytes + static_cast<std::size_t>(segment.source) * slices * 2;
#pragma unroll
            for (int part = 0; part < S::parts; ++part)
                for (int k = threadIdx.x * 16; k < segment.bins * slices * 2; k += threads * 16)
                    asm volatile(
                        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared32(shared.data[slot][j][part]) + k),
                        "l"(source + part * layout.partBytes + k)
                        : "memory");
        }
    }
};

template <int slices, Interpolation interpolation, bool half>
__global__ void __launch_bounds__(threads)
    tensorMmaKernel(const __grid_constant__ KernelArguments arguments, const __grid_constant__ TensorLayout layout)
{
#if __CUDA_ARCH__ >= 800
    using S = MmaShape<slices, interpolation, half>;
    constexpr int groups = slices / 8, groupsAtOnce = groups > 1 ? 2 : 1;
    extern __shared__ __align__(128) unsigned char memory[];
    auto& shared = *reinterpret_cast<typename S::Shared*>(memory);
    const DeviceSinograms& data = arguments.sinograms;
    const int planes = data.slices / slices, plane = blockIdx.z % planes, split = blockIdx.z / planes;
    const auto [first, last] = projectionsOf(arguments, split);
    const Stager<slices, interpolation, half> stager{arguments,
                                                     layout,
                                                     shared,
                                                     static_cast<const unsigned char*>(data.data) +
                                                         plane * S::parts * layout.partBytes,
                                                     static_cast<int>(blockIdx.x) * S::width,
                                                     static_cast<int>(blockIdx.y) * S::height,
                                                     first,
                                                     last};
    const int count = (last - first + S::stageProjections - 1) / S::stageProjections;
    const auto commit = [] { asm volatile("cp.async.commit_group;" ::: "memory"); };

    stager.look(0);
    __syncthreads();
    for (int stage = 0; stage < S::stages - 1; ++stage) {
        if (stage < count)
            stager.bring(stage);
        commit();
        stager.look(stage + 1);
        __syncthreads();
    }

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, q = lane % 4;
    const float column = g % 4, row = g / 4, bin = 2 * q;
    // Of ldmatrix: the row that this lane points at, of which half of the product, of which group of 8 slices.
    const int matrixRow = lane % 8, second = lane / 8 % 2, otherGroup = groups > 1 ? lane / 16 : 0;
    float sum[S::tilesEach][groups][4] = {}, total[half ? 1 : S::tilesEach][half ? 1 : groups][4] = {};
    constexpr int step = S::paired ? 2 : 1;
    for (int stage = 0; stage < count; ++stage) {
        asm volatile("cp.async.wait_group %0;" ::"n"(S::stages - 2) : "memory");
        __syncthreads();
        if (stage + S::stages - 1 < count)
            stager.bring(stage + S::stages - 1);
        commit();
        stager.look(stage + S::stages);
        const int slot = stage % S::stages;
#pragma unroll
        for (int j = 0; j < S::stageProjections; j += step) {
            const int j2 = j + step - 1;
            const PixelPair<interpolation, half> a0(shared.inside[slot][j], column, row, bin),
                a1(shared.inside[slot][j2], column, row, S::paired ? bin : bin + 8);
#pragma unroll
            for (int t = 0; t < S::tilesEach; ++t) {
                const uint2 tile0 = shared.tile[slot][j][warp * S::tilesEach + t],
                            tile1 = shared.tile[slot][j2][warp * S::tilesEach + t];
                unsigned high[4], low[4];
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const WeightPair pair = k < 2 ? a0.weights(k, tile0.y) : a1.weights(k - 2, tile1.y);
                    high[k] = pair.high;
                    low[k] = pair.low;
                }
                const int own =
                    static_cast<int>(second ? tile1.x : tile0.x) + matrixRow + (!S::paired && second ? 8 : 0);
                const unsigned address = shared32(shared.data[slot][second ? j2 : j][0]) + own * slices * 2 +
                                         (permutedGroup<slices>(own, otherGroup) << 4);
#pragma unroll
                for (int group = 0; group < groups; group += groupsAtOnce) {
                    // The permutation is an exclusive or: groups two further are so in the address too.
                    unsigned b[2 * groupsAtOnce];
                    loadBins(b, address ^ (group << 4));
#pragma unroll
                    for (int k = 0; k < groupsAtOnce; ++k) {
                        multiply(sum[t][group + k], high, b[2 * k], b[2 * k + 1]);
                        if constexpr (!half && interpolation != Interpolation::nearest)
                            multiply(sum[t][group + k], low, b[2 * k], b[2 * k + 1]);
                    }
                    if constexpr (!half) {
                        loadBins(b, (address ^ (group << 4)) + S::partBytes);
#pragma unroll
                        for (int k = 0; k < groupsAtOnce; ++k)
                            multiply(sum[t][group + k], high, b[2 * k], b[2 * k + 1]);
                    }
                }
            }
        }
        // Tensor cores cut sums off where floats round them, which would show after some hundred additions.
        if constexpr (!half)
            if (stage % 4 == 3 || stage + 1 == count)
#pragma unroll
                for (int t = 0; t < S::tilesEach; ++t)
#pragma unroll
                    for (int k = 0; k < groups; ++k)
#pragma unroll
                        for (int i = 0; i < 4; ++i) {
                            total[t][k][i] += sum[t][k][i];
                            sum[t][k][i] = 0;
                        }
    }
    const std::size_t size = static_cast<std::size_t>(arguments.width) * arguments.height;
    float* image = (arguments.splits > 1 ? arguments.partial + split * size * data.slices : arguments.image) +
                   static_cast<std::size_t>(plane) * slices * size;
    const float scale = arguments.splits > 1 ? 1.0f : *arguments.unscale;
#pragma unroll
    for (int t = 0; t < S::tilesEach; ++t) {
        const int x = stager.column + (warp % 4 * S::tilesX + t % S::tilesX) * side + g % 4;
        const int y = stager.row + (warp / 4 * S::tilesY + t / S::tilesX) * side + g / 4;
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

template <int slices, Interpolation interpolation, bool half>
dim3 gridOf(const KernelArguments& arguments)
{
    using S = MmaShape<slices, interpolation, half>;
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
    constexpr int bytes = sizeof(typename MmaShape<slices, interpolation, half>::Shared);
    static_assert(bytes <= 99 * 1024);
    const auto kernel = tensorMmaKernel<slices, interpolation, half>;
    const TensorLayout layout(arguments.sinograms.slices, arguments.sinograms.bins, arguments.sinograms.projections,
                              arguments.sinograms.precision);
    SINOSCOPE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<gridOf<slices, interpolation, half>(arguments), threads, bytes, arguments.stream>>>(arguments, layout);
    SINOSCOPE_CUDA_LAUNCHED();
    sumSplits(arguments);
}

template <Interpolation interpolation, bool half>
Kernels forSlices(int slices)
{
    switch (slices) {
    case 8:
        return {launch<8, interpolation, half>, blocks<8, interpolation, half>};
    case 16:
        return {launch<16, interpolation, half>, blocks<16, interpolation, half>};
    case 32:
        return {launch<32, interpolation, half>, blocks<32, interpolation, half>};
    default:
        return {launch<64, interpolation, half>, blocks<64, interpolation, half>};
    }
}

template <bool half>
Kernels forInterpolation(Interpolation interpolation, int slices)
{
    switch (interpolation) {
    case Interpolation::nearest:
        return forSlices<Interpolation::nearest, half>(slices);
    case Interpolation::cubic:
        return forSlices<Interpolation::cubic, half>(slices);
    default:
        return forSlices<Interpolation::linear, half>(slices);
    }
}

Kernels kernelsFor(const KernelArguments& arguments)
{
    const int slices = arguments.sinograms.slices;
    return arguments.sinograms.precision == Precision::half ? forInterpolation<true>(arguments.interpolation, slices)
                                                            : forInterpolation<false>(arguments.interpolation, slices);
}

} // namespace

void launchTensorMma(const KernelArguments& arguments)
{
    kernelsFor(arguments).launch(arguments);
}

int blocksTensorMma(const KernelArguments& arguments)
{
    return kernelsFor(arguments).blocks(arguments);
}

} // namespace engine::cuda
