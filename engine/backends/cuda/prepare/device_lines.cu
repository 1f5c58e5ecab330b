// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/prepare/device_lines.h"

#include "engine/base/error.h"
#include "engine/prepare/minus_log.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cstdint>
#include <math_constants.h>
#include <string>

namespace engine::cuda
{

namespace
{

enum Counted { notNumbers, faults, clamped, emptyLines, countedKinds };

struct Correction {
    const double *dark, *gain, *lights; // of the rows being processed; null: no correction, or none by these
    const FlatBetween* between;         // of all projections
    std::size_t group;                  // values from one group of `lights` to the next
    bool minusLog;

    // Returns the gain of a pixel. The processor computes the same.
    __device__ double gainOf(std::size_t pixel, const FlatBetween& at) const
    {
        if (gain)
            return gain[pixel];
        const double *early = lights + at.first * group, *after = early + group;
        return __drcp_rn(__dadd_rn(__dmul_rn(__dsub_rn(1, at.late), early[pixel]), __dmul_rn(at.late, after[pixel])));
    }
};

// Projections of a block: `run` from the first on, and perhaps as many again, `apart` later.
struct BlockProjections {
    int first, run, apart;
    __device__ int at(int k) const { return k < run ? first + k : first + apart + k - run; }
};

// The same formula as minusLogOf in line_kernel.cpp.
__device__ float minusLogOf(float x, const Logarithm& log)
{
    const int bits = __float_as_int(x), n = (bits - log.rootOfHalf) >> 23;
    const float f = __fsub_rn(__int_as_float(bits - (n << 23)), 1.0f), times = static_cast<float>(n);
    const float square = __fmul_rn(f, f);
    float sum = log.coefficients[0];
#pragma unroll
    for (int k = 1; k < 8; ++k)
        sum = __fmaf_rn(sum, f, log.coefficients[k]);
    const float small = __fmaf_rn(__fmul_rn(square, f), sum, __fmul_rn(square, -0.5f));
    const float near = __fadd_rn(f, __fmaf_rn(times, log.restOfLn2, small));
    return __fmaf_rn(-times, log.ln2, -near);
}

// Prepares one line per block: projection blockIdx.x of row blockIdx.y. Lists the lines with values to be mended.
template <typename Number>
__global__ void prepareLines(const Number* __restrict__ recorded, Correction correction, Logarithm log, int bins,
                             BlockProjections block, int projections, float* __restrict__ sinograms, unsigned* marked)
{
    const std::size_t projection = blockIdx.x, row = blockIdx.y, rows = gridDim.y;
    const Number* from = recorded + (projection * rows + row) * bins;
    float* to = sinograms + (row * projections + projection) * bins;
    const FlatBetween flats = correction.lights ? correction.between[block.at(blockIdx.x)] : FlatBetween();
    bool isMarked = false;
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        float value = static_cast<float>(from[bin]);
        if (!isfinite(value))
            value = nanf("");
        if (correction.dark) {
            const std::size_t pixel = row * bins + bin;
            const double light = __dsub_rn(static_cast<double>(value), correction.dark[pixel]);
            value = __double2float_rn(__dmul_rn(light, correction.gainOf(pixel, flats)));
        }
        if (correction.minusLog && !isnan(value))
            value = value > smallestTransmission ? minusLogOf(fminf(value, FLT_MAX), log) : CUDART_INF_F;
        to[bin] = value;
        isMarked |= !isfinite(value);
    }
    if (__syncthreads_or(isMarked) && threadIdx.x == 0)
        marked[1 + atomicAdd(marked, 1u)] = static_cast<unsigned>(row * projections + projection);
}

// Like judgeDarkness in dead_values.cpp, for one value: returns whether its run is short enough to be a detector
// fault.
__device__ bool isFault(const float* line, int bin, int bins)
{
    int length = 1;
    for (int k = bin - 1; k >= 0 && length <= longestFault && isinf(line[k]); --k)
        ++length;
    for (int k = bin + 1; k < bins && length <= longestFault && isinf(line[k]); ++k)
        ++length;
    return length <= longestFault && length < bins;
}

// Like mend in dead_values.cpp, for one value; NaN if the line has no good value.
__device__ float mended(const float* line, int bin, int bins)
{
    int before = bin - 1, after = bin + 1;
    while (before >= 0 && isnan(line[before]))
        --before;
    while (after < bins && isnan(line[after]))
        ++after;
    if (after == bins)
        return before >= 0 ? line[before] : line[bin];
    const float left = line[before >= 0 ? before : after];
    const float rise = __fmul_rn(__fsub_rn(line[after], left), static_cast<float>(bin - before));
    return __fadd_rn(left, __fdiv_rn(rise, static_cast<float>(after - before)));
}

__global__ void mendLines(const unsigned* marked, const int* deadInRow, float darkest, int bins, int projections,
                          float* sinograms, unsigned long long* counts)
{
    extern __shared__ float line[];
    __shared__ int seen[3]; // not numbers, faults, clamped
    for (unsigned k = blockIdx.x; k < marked[0]; k += gridDim.x) {
        float* const values = sinograms + static_cast<std::size_t>(marked[1 + k]) * bins;
        const auto fetch = [&] {
            __syncthreads(); // all threads have used the previous contents
            for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
                line[bin] = values[bin];
            __syncthreads();
        };
        fetch();
        if (threadIdx.x < 3)
            seen[threadIdx.x] = 0;
        __syncthreads();
        for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
            if (isnan(line[bin]))
                atomicAdd(&seen[notNumbers], 1);
            if (!isinf(line[bin]))
                continue;
            const bool fault = isFault(line, bin, bins);
            atomicAdd(&seen[fault ? faults : clamped], 1);
            values[bin] = fault ? nanf("") : darkest;
        }
        fetch();
        for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
            if (isnan(line[bin]))
                values[bin] = mended(line, bin, bins);
        __syncthreads();
        if (threadIdx.x == 0) {
            const int dead = deadInRow ? deadInRow[marked[1 + k] / projections] : 0;
            if (isnan(values[0]))
                atomicAdd(&counts[emptyLines], 1ULL);
            else if (seen[notNumbers] > dead)
                atomicAdd(&counts[notNumbers], static_cast<unsigned long long>(seen[notNumbers] - dead));
            atomicAdd(&counts[faults], static_cast<unsigned long long>(seen[faults]));
            atomicAdd(&counts[clamped], static_cast<unsigned long long>(seen[clamped]));
        }
    }
}

template <typename T>
void upload(DeviceBuffer<T>& buffer, std::span<const T> values, cudaStream_t stream)
{
    buffer.reserve(values.size());
    SINOSCOPE_CUDA(cudaMemcpyAsync(buffer.data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream));
}

} // namespace

void DeviceLines::begin(const LineProgram& program, int rows, int bins, cudaStream_t stream)
{
    const auto pixels = static_cast<std::size_t>(rows) * bins;
    const bool changes = !program.lights.empty();
    if (bins > mostBinsOnDevices || program.gain.size() != (changes ? 0 : program.dark.size()) ||
        (!program.dark.empty() && program.dark.size() != pixels) ||
        program.lights.size() % std::max<std::size_t>(pixels, 1) != 0)
        throw Error(ErrorKind::badRequest, "lines of " + std::to_string(bins) + " bins can't be prepared on this GPU");
    m_program = program;
    m_bins = bins;
    m_pixels = pixels;
    upload(m_dark, program.dark, stream);
    upload(m_gain, program.gain, stream);
    upload(m_lights, program.lights, stream);
    upload(m_between, program.between, stream);
    upload(m_deadInRow, program.deadInRow, stream);
    m_counts.reserve(countedKinds);
    SINOSCOPE_CUDA(cudaMemsetAsync(m_counts.data(), 0, countedKinds * sizeof(unsigned long long), stream));
}

void DeviceLines::run(const char* recorded, const SampleType& type, const RowBlock& block, float* sinograms,
                      cudaStream_t stream)
{
    const int rows = block.rows.count, projections = block.count();
    m_marked.reserve(1 + static_cast<std::size_t>(rows) * projections);
    SINOSCOPE_CUDA(cudaMemsetAsync(m_marked.data(), 0, sizeof(unsigned), stream));
    const std::size_t pixel = static_cast<std::size_t>(block.rows.first) * m_bins;
    const auto ofRows = [&](const DeviceBuffer<double>& values, std::span<const double> program) {
        return program.empty() ? nullptr : values.data() + pixel;
    };
    const Correction correction{ofRows(m_dark, m_program.dark),
                                ofRows(m_gain, m_program.gain),
                                ofRows(m_lights, m_program.lights),
                                m_between.data(),
                                m_pixels,
                                m_program.minusLog};
    const BlockProjections ofBlock{block.projections.first, block.projections.count, block.apart};
    const dim3 lines(static_cast<unsigned>(projections), static_cast<unsigned>(rows));
    const auto launch = [&](auto number) {
        prepareLines<<<lines, 256, 0, stream>>>(reinterpret_cast<const decltype(number)*>(recorded), correction,
                                                Logarithm(), m_bins, ofBlock, projections, sinograms, m_marked.data());
    };
    const std::string name = type.name;
    if (name == "uint8")
        launch(std::uint8_t());
    else if (name == "int8")
        launch(std::int8_t());
    else if (name == "uint16")
        launch(std::uint16_t());
    else if (name == "int16")
        launch(std::int16_t());
    else
        launch(float());
    SINOSCOPE_CUDA_LAUNCHED();
    if (!m_program.mended)
        return;
    mendLines<<<1024, 128, m_bins * sizeof(float), stream>>>(
        m_marked.data(), m_program.deadInRow.empty() ? nullptr : m_deadInRow.data() + block.rows.first, minusLog(0),
        m_bins, projections, sinograms, m_counts.data());
    SINOSCOPE_CUDA_LAUNCHED();
}

bool DeviceLines::finish(cudaStream_t stream)
{
    std::array<unsigned long long, countedKinds> counts{};
    SINOSCOPE_CUDA(cudaMemcpyAsync(counts.data(), m_counts.data(), sizeof(counts), cudaMemcpyDeviceToHost, stream));
    SINOSCOPE_CUDA(cudaStreamSynchronize(stream));
    if (!m_program.mended)
        return false;
    MendCounts& mended = *m_program.mended;
    mended.notNumbers += static_cast<long long>(counts[notNumbers]);
    mended.faults += static_cast<long long>(counts[faults]);
    mended.clamped += static_cast<long long>(counts[clamped]);
    mended.emptyLines += static_cast<long long>(counts[emptyLines]);
    return counts[emptyLines] > 0;
}

} // namespace engine::cuda
