// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/filter/cufft_filter.h"

#include "engine/backends/cuda/filter/cufft_functions.h"
#include "engine/backends/cuda/filter/lines.cuh"
#include "engine/base/error.h"

#include <algorithm>
#include <string>

namespace engine::cuda
{

namespace
{

using Cufft = CufftFunctions;

constexpr int threads = 256;
constexpr std::size_t mostPlans = 8;

void checkCufft(int status, const char* what)
{
    if (status == Cufft::success)
        return;
    if (status == Cufft::allocFailed)
        throw Error(ErrorKind::noMemory,
                    "the GPU has too little free memory for cuFFT; reconstruct fewer slices simultaneously");
    throw Error(ErrorKind::device, "cuFFT failed: error " + std::to_string(status) + " of " + what);
}

// Complex numbers of a transform in memory.
__host__ __device__ std::size_t lengthOf(int padded, bool isReal)
{
    return isReal ? padded / 2 + 1 : padded;
}

// Pads the rows of a batch, whose first transform is `first` of all.
template <bool isReal>
__global__ void __launch_bounds__(threads)
    padRows(const Lines lines, float2* __restrict__ rows, std::size_t first, const Padding padding)
{
    constexpr int each = isReal ? 1 : 2;
    __shared__ Cylinder<float> ends[2][2]; // [row of the pair][0: right end, 1: left end]
    const std::size_t a = each * (first + blockIdx.y);
    if (a >= lines.rows)
        return; // the last batch may have fewer rows
    const bool both = !isReal && a + 1 < lines.rows;
    const float *one = lines.raw + a * padding.bins, *other = both ? one + padding.bins : one;
    if (padding.mode == PadMode::cylinder && threadIdx.x < 2 * each)
        ends[threadIdx.x / 2][threadIdx.x % 2] = padding.endOf(threadIdx.x < 2 ? one : other, threadIdx.x % 2 == 1);
    __syncthreads();
    float2* row = rows + blockIdx.y * lengthOf(padding.padded, isReal);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < padding.padded; i += gridDim.x * blockDim.x) {
        const float2 value = padding.at(one, other, both, ends, i);
        if constexpr (isReal)
            reinterpret_cast<float*>(row)[i] = value.x;
        else
            row[i] = value;
    }
}

// Multiplies spectra by the response, which is real and even, so that one multiplication filters both rows of a pair.
__global__ void __launch_bounds__(threads)
    multiply(float2* __restrict__ rows, const float* __restrict__ factors, int length, int padded)
{
    float2* row = rows + blockIdx.y * static_cast<std::size_t>(length);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
        const float factor = factors[min(i, padded - i)];
        row[i] = {row[i].x * factor, row[i].y * factor};
    }
}

// Weights the rows of a batch, and stores their bins.
template <bool isReal>
__global__ void __launch_bounds__(threads)
    storeRows(const float2* __restrict__ rows, const Lines lines, std::size_t first, int padded)
{
    constexpr int each = isReal ? 1 : 2;
    const std::size_t a = each * (first + blockIdx.y);
    if (a >= lines.rows)
        return;
    const bool both = !isReal && a + 1 < lines.rows;
    const float weightA = lines.weightOf(a), weightB = both ? lines.weightOf(a + 1) : 0.0f;
    const float2* row = rows + blockIdx.y * lengthOf(padded, isReal);
    float* out = lines.filtered + a * lines.bins;
    Seen seen;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < lines.bins; i += gridDim.x * blockDim.x) {
        const float2 value = isReal ? float2{reinterpret_cast<const float*>(row)[i], 0} : row[i];
        const float x = value.x * weightA;
        out[i] = x;
        seen.look(x);
        if (both) {
            const float y = value.y * weightB;
            out[i + lines.bins] = y;
            seen.look(y);
        }
    }
    seen.report(lines);
}

dim3 blocksFor(std::size_t values, int batch)
{
    constexpr int valuesPerBlock = 4 * threads;
    return dim3(static_cast<unsigned>((values + valuesPerBlock - 1) / valuesPerBlock), static_cast<unsigned>(batch));
}

} // namespace

CufftFilter::Plan::Plan(int type, int padded, int batch) : m_type(type), m_padded(padded), m_batch(batch)
{
    const Cufft& cufft = cufftFunctions();
    checkCufft(cufft.create(&m_handle), "cufftCreate");
    try {
        // In place: a real row has room for the spectrum, one frequency more than half of its values.
        int length = padded, spectrum = static_cast<int>(lengthOf(padded, type != Cufft::complexToComplex));
        int real = 2 * spectrum;
        int* in = type == Cufft::realToComplex ? &real : &spectrum;
        int* out = type == Cufft::complexToReal ? &real : &spectrum;
        checkCufft(cufft.setAutoAllocation(m_handle, 0), "cufftSetAutoAllocation");
        checkCufft(cufft.makePlanMany(m_handle, 1, &length, in, 1, *in, out, 1, *out, type, batch, &m_bytes),
                   "cufftMakePlanMany");
    } catch (...) {
        cufft.destroy(m_handle);
        throw;
    }
}

CufftFilter::Plan::~Plan()
{
    if (m_handle != none)
        cufftFunctions().destroy(m_handle);
}

void CufftFilter::prepare(const std::vector<double>& response, int padded, PadMode mode, cudaStream_t stream)
{
    cufftFunctions(); // throws without the library
    std::vector<float> factors(response.size());
    std::ranges::transform(response, factors.begin(), [&](double one) { return static_cast<float>(one / padded); });
    m_factors.reserve(factors.size());
    SINOSCOPE_CUDA(cudaMemcpyAsync(m_factors.data(), factors.data(), factors.size() * sizeof(float),
                                   cudaMemcpyHostToDevice, stream));
    SINOSCOPE_CUDA(cudaStreamSynchronize(stream)); // before the factors are destroyed
    m_padded = padded;
    m_mode = mode;
}

// Returns the transforms of a batch: equally many in each, and at most 32 MiB of them, most of which stay in the
// second-level cache (64 slices of 2048² in 6.5 ms instead of 6.9 ms with 64 MiB; H200). A launch can have 65535.
int CufftFilter::batchFor(std::size_t transforms) const
{
    const std::size_t fitting = (std::size_t{32} << 20) / (lengthOf(m_padded, m_isReal) * sizeof(float2)),
                      most = std::clamp<std::size_t>(fitting, 1, 32768), batches = (transforms + most - 1) / most;
    return static_cast<int>((transforms + batches - 1) / batches);
}

const CufftFilter::Plan& CufftFilter::planFor(int type, int batch)
{
    const auto found =
        std::ranges::find_if(m_plans, [&](const Plan& plan) { return plan.isFor(type, m_padded, batch); });
    if (found != m_plans.end())
        return *found;
    if (m_plans.size() == mostPlans)
        m_plans.clear();
    return m_plans.emplace_back(type, m_padded, batch);
}

void CufftFilter::reserve(std::size_t rows)
{
    const int batch = batchFor(transformsOf(rows));
    m_rows.reserve(batch * lengthOf(m_padded, m_isReal));
    if (!m_isReal)
        return m_workSpace.reserve(planFor(Cufft::complexToComplex, batch).bytes());
    m_workSpace.reserve(planFor(Cufft::realToComplex, batch).bytes());
    m_workSpace.reserve(planFor(Cufft::complexToReal, batch).bytes());
}

void CufftFilter::transform(int batch, bool isForward, cudaStream_t stream)
{
    const Cufft& cufft = cufftFunctions();
    const int type = !m_isReal ? Cufft::complexToComplex : isForward ? Cufft::realToComplex : Cufft::complexToReal;
    const int plan = planFor(type, batch).handle();
    checkCufft(cufft.setWorkArea(plan, m_workSpace.data()), "cufftSetWorkArea");
    checkCufft(cufft.setStream(plan, stream), "cufftSetStream");
    float2* values = m_rows.data();
    auto* reals = reinterpret_cast<float*>(values);
    if (!m_isReal)
        checkCufft(cufft.runComplexToComplex(plan, values, values, isForward ? Cufft::forward : Cufft::inverse),
                   "cufftExecC2C");
    else if (isForward)
        checkCufft(cufft.runRealToComplex(plan, reals, values), "cufftExecR2C");
    else
        checkCufft(cufft.runComplexToReal(plan, values, reals), "cufftExecC2R");
}

void CufftFilter::run(const Lines& lines, cudaStream_t stream)
{
    const Padding padding{lines.bins, m_padded, m_mode};
    const std::size_t all = transformsOf(static_cast<std::size_t>(lines.rows)), length = lengthOf(m_padded, m_isReal);
    const int batch = batchFor(all);
    reserve(static_cast<std::size_t>(lines.rows));
    for (std::size_t first = 0; first < all; first += batch) {
        (m_isReal ? padRows<true> : padRows<false>)<<<blocksFor(m_padded, batch), threads, 0, stream>>>(
            lines, m_rows.data(), first, padding);
        SINOSCOPE_CUDA_LAUNCHED();
        transform(batch, true, stream);
        multiply<<<blocksFor(length, batch), threads, 0, stream>>>(m_rows.data(), m_factors.data(),
                                                                   static_cast<int>(length), m_padded);
        SINOSCOPE_CUDA_LAUNCHED();
        transform(batch, false, stream);
        (m_isReal ? storeRows<true> : storeRows<false>)<<<blocksFor(lines.bins, batch), threads, 0, stream>>>(
            m_rows.data(), lines, first, m_padded);
        SINOSCOPE_CUDA_LAUNCHED();
    }
}

} // namespace engine::cuda
