// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/device/gpu_peaks.h"

#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/device/stream.h"
#include "engine/backends/cuda/device/texture.h"

#include <algorithm>
#include <cstdint>

namespace engine
{

namespace
{

constexpr int warpThreads = 32, threadsPerBlock = 256, blocksPerMultiprocessor = 8;
constexpr int turns = 1024, operationsPerTurn = 16; // of each thread
constexpr int lineStride = 33;  // floats from one line of 128 bytes to the next bank of the next one
constexpr int textureSide = 64; // 16 KiB: fits into the first-level cache
constexpr std::size_t copiedBytes = std::size_t(256) << 20;

// Results that can't occur are stored, so that the compiler keeps the computation.
__device__ void keep(float value, float* out)
{
    if (value == -1)
        *out = value;
}

// The threads of a warp fetch 8 × 4 neighbouring texels, as those of the kernels.
__global__ void fetchTexels(cudaTextureObject_t texture, float* out)
{
    const float x = 0.3F + static_cast<float>(threadIdx.x % 8), y = 0.4F + static_cast<float>(threadIdx.x / 8 % 4);
    float sum = 0;
    for (int turn = 0; turn < turns; ++turn)
#pragma unroll
        for (int k = 0; k < operationsPerTurn; ++k)
            sum += tex2D<float>(texture, x + static_cast<float>(turn % 32), y + static_cast<float>(k));
    keep(sum, out);
}

__global__ void readShared(float* out)
{
    __shared__ float values[threadsPerBlock * operationsPerTurn];
    for (int k = 0; k < operationsPerTurn; ++k)
        values[threadIdx.x + k * threadsPerBlock] = 1;
    __syncthreads();
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(values + threadIdx.x));
    float sum = 0;
    for (int turn = 0; turn < turns; ++turn)
#pragma unroll
        for (int k = 0; k < operationsPerTurn; ++k) {
            float value;
            asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(value) : "r"(address + 4 * threadsPerBlock * k));
            sum += value;
        }
    keep(sum, out);
}

// Each thread reads 16 bytes at once.
__global__ void readWideShared(float* out)
{
    __shared__ float4 values[2 * threadsPerBlock];
    for (int k = 0; k < 2; ++k)
        values[threadIdx.x + k * threadsPerBlock] = {1, 1, 1, 1};
    __syncthreads();
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(values + threadIdx.x));
    float sum = 0;
    for (int turn = 0; turn < turns / 4; ++turn)
#pragma unroll
        for (int k = 0; k < operationsPerTurn; ++k) {
            float4 value;
            asm volatile("ld.volatile.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
                         : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
                         : "r"(address + 16 * threadsPerBlock * (k % 2)));
            sum += value.x + value.y + value.z + value.w;
        }
    keep(sum, out);
}

// Each thread of a warp reads from a line and a bank of its own. lines: all 0. The address depends on the values of the
// turn before, so that the compiler keeps the loads.
__global__ void readLines(const float* lines, float* out)
{
    const float* own = lines + threadIdx.x % warpThreads * lineStride;
    float sum = 0;
    for (int turn = 0; turn < turns / operationsPerTurn; ++turn) {
        const float* at = own + __float_as_int(sum);
#pragma unroll
        for (int k = 0; k < operationsPerTurn; ++k)
            sum += at[k];
    }
    keep(sum, out);
}

__global__ void convert(float value, float* out)
{
    float values[operationsPerTurn];
#pragma unroll
    for (int k = 0; k < operationsPerTurn; ++k)
        values[k] = value + static_cast<float>(k);
    for (int turn = 0; turn < turns; ++turn)
#pragma unroll
        for (int k = 0; k < operationsPerTurn; ++k)
            values[k] = __int_as_float(__float2int_rd(values[k]) | 0x3f000000);
    float sum = 0;
#pragma unroll
    for (int k = 0; k < operationsPerTurn; ++k)
        sum += values[k];
    keep(sum, out);
}

__global__ void shiftIntegers(std::uint32_t by, float* out)
{
    std::uint32_t values[operationsPerTurn];
#pragma unroll
    for (int k = 0; k < operationsPerTurn; ++k)
        values[k] = threadIdx.x + k;
    for (int turn = 0; turn < turns; ++turn)
#pragma unroll
        for (int k = 0; k < operationsPerTurn; ++k)
            values[k] = __funnelshift_l(values[k], values[k], by);
    std::uint32_t sum = 0;
#pragma unroll
    for (int k = 0; k < operationsPerTurn; ++k)
        sum ^= values[k];
    keep(__uint_as_float(sum), out);
}

__global__ void multiplyAdd(float factor, float* out)
{
    float sums[operationsPerTurn];
#pragma unroll
    for (int k = 0; k < operationsPerTurn; ++k)
        sums[k] = static_cast<float>(k);
    for (int turn = 0; turn < turns; ++turn)
#pragma unroll
        for (int k = 0; k < operationsPerTurn; ++k)
            sums[k] = __fmaf_rn(sums[k], factor, factor);
    float sum = 0;
#pragma unroll
    for (int k = 0; k < operationsPerTurn; ++k)
        sum += sums[k];
    keep(sum, out);
}

// operand: two halves, of which all matrices consist.
__global__ void multiplyMatrices(std::uint32_t operand, float* out)
{
#if __CUDA_ARCH__ >= 800
    constexpr int independent = 8;
    float sums[independent][4] = {};
    for (int turn = 0; turn < turns * operationsPerTurn / independent; ++turn)
#pragma unroll
        for (int k = 0; k < independent; ++k)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, "
                         "{%0,%1,%2,%3};"
                         : "+f"(sums[k][0]), "+f"(sums[k][1]), "+f"(sums[k][2]), "+f"(sums[k][3])
                         : "r"(operand));
    float sum = 0;
#pragma unroll
    for (int k = 0; k < independent; ++k)
        sum += sums[k][0] + sums[k][1] + sums[k][2] + sums[k][3];
    keep(sum, out);
#endif
}

// Returns the seconds of the fastest of a few runs.
template <class Work>
double bestSeconds(const Stream& stream, const Work& work)
{
    constexpr int tries = 5;
    const Event begin, end;
    double best = 0;
    for (int run = 0; run <= tries; ++run) { // the first one warms up
        begin.record(stream.get());
        work();
        SINOSCOPE_CUDA_LAUNCHED();
        end.record(stream.get());
        end.synchronize();
        const double seconds = end.secondsSince(begin);
        if (run == 1 || (run > 1 && seconds < best))
            best = seconds;
    }
    return best;
}

} // namespace

GpuPeaks gpuPeaks(int device)
{
    SINOSCOPE_CUDA(cudaSetDevice(device));
    int multiprocessors = 0, major = 0;
    SINOSCOPE_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    SINOSCOPE_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    const Stream stream;
    const int blocks = multiprocessors * blocksPerMultiprocessor;
    const double operations = 1.0 * blocks * threadsPerBlock * turns * operationsPerTurn;
    const DeviceBuffer<float> out(1);

    GpuPeaks peaks;
    {
        const std::size_t pitchBytes = textureSide * sizeof(float);
        const DeviceBuffer<float> texels(textureSide * textureSide);
        SINOSCOPE_CUDA(cudaMemsetAsync(texels.data(), 0, textureSide * pitchBytes, stream.get()));
        const Texture texture(texels.data(), pitchBytes, textureSide, textureSide, 1, false, true);
        peaks.texels = operations / bestSeconds(stream, [&] {
                           fetchTexels<<<blocks, threadsPerBlock, 0, stream.get()>>>(texture.get(), out.data());
                       });
    }
    peaks.sharedBytes = sizeof(float) * operations / bestSeconds(stream, [&] {
                            readShared<<<blocks, threadsPerBlock, 0, stream.get()>>>(out.data());
                        });
    peaks.wideSharedBytes = 4 * sizeof(float) * operations / 4 / bestSeconds(stream, [&] {
                                readWideShared<<<blocks, threadsPerBlock, 0, stream.get()>>>(out.data());
                            });
    {
        constexpr std::size_t values = (warpThreads + 1) * lineStride;
        const DeviceBuffer<float> lines(values);
        SINOSCOPE_CUDA(cudaMemsetAsync(lines.data(), 0, values * sizeof(float), stream.get()));
        peaks.cacheLines = operations / operationsPerTurn / bestSeconds(stream, [&] {
                               readLines<<<blocks, threadsPerBlock, 0, stream.get()>>>(lines.data(), out.data());
                           });
    }
    peaks.conversions = operations / bestSeconds(stream, [&] {
                            convert<<<blocks, threadsPerBlock, 0, stream.get()>>>(1.5F, out.data());
                        });
    peaks.integers = operations / bestSeconds(stream, [&] {
                         shiftIntegers<<<blocks, threadsPerBlock, 0, stream.get()>>>(3, out.data());
                     });
    peaks.instructions = operations / bestSeconds(stream, [&] {
                             multiplyAdd<<<blocks, threadsPerBlock, 0, stream.get()>>>(0.999F, out.data());
                         });
    if (major >= 8)
        peaks.tensorProducts = operations / warpThreads / bestSeconds(stream, [&] {
                                   multiplyMatrices<<<blocks, threadsPerBlock, 0, stream.get()>>>(0, out.data());
                               });

    const DeviceBuffer<char> here(copiedBytes), there(copiedBytes);
    peaks.memoryBytes = 2.0 * copiedBytes / bestSeconds(stream, [&] {
                            SINOSCOPE_CUDA(cudaMemcpyAsync(there.data(), here.data(), copiedBytes,
                                                           cudaMemcpyDeviceToDevice, stream.get()));
                        });
    const PinnedBuffer<char> host(copiedBytes);
    const auto copyRate = [&](void* to, const void* from) {
        return copiedBytes / bestSeconds(stream, [&] {
                   SINOSCOPE_CUDA(cudaMemcpyAsync(to, from, copiedBytes, cudaMemcpyDefault, stream.get()));
               });
    };
    peaks.upBytes = copyRate(here.data(), host.data());
    peaks.downBytes = copyRate(host.data(), here.data());
    return peaks;
}

} // namespace engine
