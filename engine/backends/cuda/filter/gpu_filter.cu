// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/filter/gpu_filter.h"

#include "engine/backends/cuda/device/half_scale.cuh"
#include "engine/backends/cuda/device/vector.cuh"
#include "engine/backends/cuda/filter/lines.cuh"
#include "engine/backends/cuda/filter/tensor_layout.h"
#include "engine/backends/cuda/filter/transform.cuh"
#include "engine/base/error.h"
#include "engine/filter/dispatch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace engine::cuda
{

namespace
{

constexpr int mostThreads = 512;

// Filters pairs of rows, one per block, as the real and imaginary parts of complex rows. middle: of the steps. isLong:
// in device memory, longRows, instead of shared memory.
template <int middle, bool isLong>
__global__ void __launch_bounds__(mostThreads)
    filterPairs(const Lines lines, const TransformSteps steps, const Complex* __restrict__ roots,
                const float* __restrict__ factors, Complex* longRows, PadMode mode)
{
    extern __shared__ Complex shared[];
    __shared__ Cylinder<float> ends[2][2]; // [row of the pair][0: right end, 1: left end]
    Complex* memory = isLong ? longRows + static_cast<std::size_t>(blockIdx.x) * placeOf(steps.length()) : shared;
    const int bins = lines.bins, pairs = (lines.rows + 1) / 2;
    const Padding padding{bins, steps.length(), mode};
    Seen seen;
    for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
        const std::size_t a = 2 * static_cast<std::size_t>(pair), b = a + 1;
        const bool both = b < lines.rows;
        const float *first = lines.raw + a * bins, *second = both ? first + bins : first;
        __syncthreads(); // the pair before is finished
        if (mode == PadMode::cylinder && threadIdx.x < 4)
            ends[threadIdx.x / 2][threadIdx.x % 2] =
                padding.endOf(threadIdx.x < 2 ? first : second, threadIdx.x % 2 == 1);
        if (mode == PadMode::cylinder)
            __syncthreads();
        const auto load = [&](int i) { return padding.at(first, second, both, ends, i); };
        const float weightA = lines.weightOf(a), weightB = both ? lines.weightOf(b) : 0.0f;
        float* out = lines.filtered + a * bins;
        const auto store = [&](int i, Complex value) {
            if (i >= bins)
                return;
            const float x = value.x * weightA, y = value.y * weightB;
            out[i] = x;
            seen.look(x);
            if (both) {
                out[i + bins] = y;
                seen.look(y);
            }
        };
        filterInPlace<middle>(steps, roots, factors, memory, load, store);
    }
    seen.report(lines);
}

// Weights rows that are filtered already.
__global__ void __launch_bounds__(256) weightRows(const Lines lines)
{
    const std::size_t row = blockIdx.x;
    const float weight = lines.weightOf(row);
    Seen seen;
    for (int bin = threadIdx.x; bin < lines.bins; bin += blockDim.x) {
        const float value = lines.raw[row * lines.bins + bin] * weight;
        lines.filtered[row * lines.bins + bin] = value;
        seen.look(value);
    }
    seen.report(lines);
}

using FilterPairs = void (*)(Lines, TransformSteps, const Complex*, const float*, Complex*, PadMode);

FilterPairs filterPairsFor(const TransformSteps& steps, bool isLong)
{
    switch (steps.middleExponent()) {
    case 1:
        return isLong ? filterPairs<2, true> : filterPairs<2, false>;
    case 2:
        return isLong ? filterPairs<4, true> : filterPairs<4, false>;
    case 3:
        return isLong ? filterPairs<8, true> : filterPairs<8, false>;
    default:
        return isLong ? filterPairs<16, true> : filterPairs<16, false>;
    }
}

int ofDevice(cudaDeviceAttr attribute)
{
    int device = 0, value = 0;
    SINOSCOPE_CUDA(cudaGetDevice(&device));
    SINOSCOPE_CUDA(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

template <int slices, bool half>
__global__ void interleave(const float* __restrict__ filtered, const unsigned* __restrict__ largest, char* out,
                           std::size_t pitchBytes, float* unscale, int present, int projections, int bins)
{
    const float scale = half ? halfScaleOf(*largest) : 1.0f;
    if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0)
        *unscale = 1.0f / scale;
    const int projection = blockIdx.y;
    char* row = out + projection * pitchBytes;
    for (int bin = blockIdx.x * blockDim.x + threadIdx.x; bin < bins; bin += gridDim.x * blockDim.x) {
        Sum<slices> value = {};
#pragma unroll
        for (int s = 0; s < slices; ++s)
            if (s < present)
                value.value[s] =
                    scale * filtered[(static_cast<std::size_t>(s) * projections + projection) * bins + bin];
        if constexpr (half) {
            __half* target = reinterpret_cast<__half*>(row) + static_cast<std::size_t>(bin) * slices;
#pragma unroll
            for (int s = 0; s < slices; ++s)
                target[s] = __float2half_rn(value.value[s]);
        } else
            reinterpret_cast<Sum<slices>*>(row)[bin] = value;
    }
}

// Each block transposes 32 bins of one plane of one projection in shared memory, so that reads and writes are
// contiguous.
template <int slices>
__global__ void __launch_bounds__(256)
    interleaveForTensor(const float* __restrict__ filtered, const unsigned* __restrict__ largest, char* out,
                        float* unscale, int present, int bins, const __grid_constant__ TensorLayout layout)
{
    constexpr int groups = slices / 8;
    __shared__ float values[32][slices + 1];
    const float scale = halfScaleOf(*largest);
    const int projection = blockIdx.y, plane = blockIdx.z, first = blockIdx.x * 32;
    if (threadIdx.x == 0 && blockIdx.x == 0 && projection == 0 && plane == 0)
        *unscale = 1.0f / scale;
    const int bin = first + threadIdx.x % 32 - TensorLayout::margin;
    for (int s = threadIdx.x / 32; s < slices; s += 8) {
        const int slice = plane * slices + s;
        const bool inside = slice < present && bin >= 0 && bin < bins;
        values[threadIdx.x % 32][s] =
            inside ? scale * filtered[(static_cast<std::size_t>(slice) * layout.projections + projection) * bins + bin]
                   : 0.0f;
    }
    __syncthreads();
    char* row = out + plane * layout.parts * layout.partBytes + projection * layout.rowBytes;
    for (int k = threadIdx.x; k < 32 * groups; k += 256) {
        const int own = k / groups, group = permutedGroup<slices>(own, k % groups);
        if (first + own >= layout.paddedBins)
            continue;
        alignas(16) __half high[8], low[8];
#pragma unroll
        for (int s = 0; s < 8; ++s) {
            const float value = values[own][group * 8 + s];
            high[s] = __float2half_rn(value);
            low[s] = __float2half_rn(value - __half2float(high[s]));
        }
        char* target = row + (static_cast<std::size_t>(first) * groups + k) * 16;
        *reinterpret_cast<uint4*>(target) = reinterpret_cast<const uint4&>(high);
        if (layout.parts == 2)
            *reinterpret_cast<uint4*>(target + layout.partBytes) = reinterpret_cast<const uint4&>(low);
    }
}

using Interleave = void (*)(const float*, const unsigned*, char*, std::size_t, float*, int, int, int);

template <typename T>
void upload(DeviceBuffer<T>& buffer, const std::vector<T>& values, cudaStream_t stream)
{
    buffer.reserve(values.size());
    SINOSCOPE_CUDA(
        cudaMemcpyAsync(buffer.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, stream));
    SINOSCOPE_CUDA(cudaStreamSynchronize(stream)); // before the values may be destroyed
}

TransformSteps stepsFor(int padded)
{
    return {std::countr_zero(static_cast<unsigned>(padded))};
}

// Bytes of a complex row in the memory of a block.
std::size_t bytesOf(int padded)
{
    return static_cast<std::size_t>(placeOf(padded)) * sizeof(Complex);
}

// The response at the frequencies in the order of the transform, including its scale.
std::vector<float> factorsOf(const std::vector<double>& response, int padded)
{
    const TransformSteps steps = stepsFor(padded);
    std::vector<float> factors(static_cast<std::size_t>(padded));
    for (int position = 0; position < padded; ++position) {
        const int frequency = steps.frequencyAt(position);
        factors[position] = static_cast<float>(response[std::min(frequency, padded - frequency)] / padded);
    }
    return factors;
}

std::vector<float2> rootsOf(int padded)
{
    std::vector<float2> roots(static_cast<std::size_t>(padded / 2));
    for (int k = 0; k < padded / 2; ++k) {
        const double angle = 2 * std::numbers::pi * k / padded;
        roots[k] = {static_cast<float>(std::cos(angle)), static_cast<float>(-std::sin(angle))};
    }
    return roots;
}

} // namespace

// Also loads the kernel, so that no first launch is measured.
void GpuFilter::preparePadded(int padded, cudaStream_t stream)
{
    m_padded = 0;
    upload(m_roots, rootsOf(padded), stream);
    constexpr std::size_t beside = 256; // bytes of other shared variables of the kernel
    const std::size_t bytes = bytesOf(padded);
    m_isLong = bytes + beside > static_cast<std::size_t>(ofDevice(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    m_blocksAtOnce = 2 * ofDevice(cudaDevAttrMultiProcessorCount);
    SINOSCOPE_CUDA(cudaFuncSetAttribute(reinterpret_cast<const void*>(filterPairsFor(stepsFor(padded), m_isLong)),
                                        cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        m_isLong ? 0 : static_cast<int>(bytes)));
    m_padded = padded;
}

void GpuFilter::setTransform(FilterTransform transform)
{
    if (m_transform == transform)
        return;
    m_transform = transform;
    m_settings.reset();
    m_cufft.reset();
    if (transform != FilterTransform::own)
        m_cufft.emplace(transform == FilterTransform::cufftReal);
}

void GpuFilter::prepare(const FilterSettings& settings, const std::vector<double>& weights, int bins,
                        cudaStream_t stream)
{
    if (m_settings != settings || m_bins != bins) {
        m_settings.reset();
        const int padded = paddedLength(bins);
        const std::vector<double> response = frequencyResponse(settings, padded);
        const bool isOwn = !m_cufft || settings.window == Window::none;
        if (!isOwn)
            m_cufft->prepare(response, padded, settings.padMode, stream);
        else
            upload(m_factors, factorsOf(response, padded), stream);
        if (isOwn && m_padded != padded)
            preparePadded(padded, stream);
        m_settings = settings;
        m_bins = bins;
    }
    if (m_weights != weights) {
        m_weights.clear();
        upload(m_deviceWeights, std::vector<float>(weights.begin(), weights.end()), stream);
        m_weights = weights;
    }
}

void GpuFilter::reserve(std::size_t rows)
{
    m_filtered.reserve(rows * m_bins);
    if (m_settings->window == Window::none)
        return;
    if (m_cufft)
        m_cufft->reserve(rows);
    else if (m_isLong)
        m_longRows.reserve(std::min((rows + 1) / 2, static_cast<std::size_t>(m_blocksAtOnce)) * placeOf(m_padded));
}

void GpuFilter::filterRows(const float* raw, int present, InterleavedSinograms& out, cudaStream_t stream)
{
    const int projections = static_cast<int>(m_weights.size());
    const int rows = present * projections;
    m_filtered.reserve(static_cast<std::size_t>(rows) * m_bins);
    m_largest.reserve(1);
    out.unscale.reserve(1);
    out.nonFinite.reserve(1);
    SINOSCOPE_CUDA(cudaMemsetAsync(out.nonFinite.data(), 0, sizeof(unsigned), stream));
    SINOSCOPE_CUDA(cudaMemsetAsync(m_largest.data(), 0, sizeof(unsigned), stream));
    if (rows == 0)
        return;
    const Lines lines{
        raw,   m_filtered.data(), m_deviceWeights.data(), m_largest.data(), out.nonFinite.data(), rows, projections,
        m_bins};
    if (m_settings->window == Window::none) {
        weightRows<<<rows, 256, 0, stream>>>(lines);
        SINOSCOPE_CUDA_LAUNCHED();
        return;
    }
    if (m_cufft)
        return m_cufft->run(lines, stream);
    // Long rows: as many blocks as run at a time, each with memory of its own.
    const int pairs = (rows + 1) / 2, blocks = m_isLong ? std::min(pairs, m_blocksAtOnce) : pairs;
    if (m_isLong)
        m_longRows.reserve(static_cast<std::size_t>(blocks) * placeOf(m_padded));
    const TransformSteps steps = stepsFor(m_padded);
    filterPairsFor(
        steps,
        m_isLong)<<<blocks, std::clamp(m_padded / 16, 32, mostThreads), m_isLong ? 0 : bytesOf(m_padded), stream>>>(
        lines, steps, m_roots.data(), m_factors.data(), m_longRows.data(), m_settings->padMode);
    SINOSCOPE_CUDA_LAUNCHED();
}

GpuFilter::Rows GpuFilter::runRows(const float* raw, int present, cudaStream_t stream)
{
    filterRows(raw, present, m_rows, stream);
    return {m_filtered.data(), m_largest.data(), m_rows.nonFinite.data()};
}

void GpuFilter::run(const float* raw, int present, int slices, Precision precision, InterleavedSinograms& out,
                    cudaStream_t stream)
{
    const int projections = static_cast<int>(m_weights.size());
    filterRows(raw, present, out, stream);
    const int valueBytes = precision == Precision::half ? 2 : 4;
    out.pitchBytes = (static_cast<std::size_t>(m_bins) * slices * valueBytes + 511) / 512 * 512;
    out.data.reserve(out.pitchBytes * projections);
    const Interleave kernel = forSlicesAndPrecision( // [&]: without a capture, nvcc 13 warns of the lambda's conversion
        slices, precision, [&]<int mode, bool stored>() -> Interleave { return interleave<mode, stored>; });
    kernel<<<dim3((m_bins + 255) / 256, projections), 256, 0, stream>>>(
        m_filtered.data(), m_largest.data(), out.data.data(), out.pitchBytes, out.unscale.data(), present, projections,
        m_bins);
    SINOSCOPE_CUDA_LAUNCHED();
}

void GpuFilter::runForTensor(const float* raw, int present, int slices, Precision precision, InterleavedSinograms& out,
                             cudaStream_t stream)
{
    const TensorLayout layout(slices, m_bins, static_cast<int>(m_weights.size()), precision);
    filterRows(raw, present, out, stream);
    out.pitchBytes = layout.rowBytes;
    out.data.reserve(layout.bytes);
    const auto kernel = layout.planeSlices == 8    ? interleaveForTensor<8>
                        : layout.planeSlices == 16 ? interleaveForTensor<16>
                        : layout.planeSlices == 32 ? interleaveForTensor<32>
                                                   : interleaveForTensor<64>;
    kernel<<<dim3((layout.paddedBins + 31) / 32, layout.projections, layout.planes), 256, 0, stream>>>(
        m_filtered.data(), m_largest.data(), out.data.data(), out.unscale.data(), present, m_bins, layout);
    SINOSCOPE_CUDA_LAUNCHED();
}

} // namespace engine::cuda
