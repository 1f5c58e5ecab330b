// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/device/device_peaks.h"

#include "engine/backends/opencl/device/device_handles.h"
#include "engine/backends/opencl/device/opened_device.h"
#include "engine/base/error.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

namespace engine::opencl
{

namespace
{

// Each thread does 16 operations per turn, of vectors in part. Results that can't occur are stored, so that the
// compiler keeps the computation. Images are of 64 x 64 texels, of which 36 x 18 are fetched: 10 KB of the largest
// texels. Threads are half a texel apart, in Z order, and interpolate along rows, as those of the kernels at their
// best: the texture units of NVIDIA fetch texels of two and more numbers at half the rate for other patterns.
constexpr const char* peaksSource = R"cl(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

void keep(float value, global float* out)
{
    if (value == -1)
        *out = value;
}

void fetchTexels(read_only image2d_t image, sampler_t sampler, int turns, global float* out)
{
    const int thread = get_local_id(0);
    const int column = (thread & 1) | ((thread >> 1) & 2) | ((thread >> 2) & 4);
    const int row = ((thread >> 1) & 1) | ((thread >> 2) & 2);
    const float x = 0.3f + 0.5f * column, y = 0.5f + row / 2;
    float4 sum = 0;
    for (int turn = 0; turn < turns; ++turn) {
        const float at = x + (turn & 31);
#pragma unroll
        for (int k = 0; k < 16; ++k)
            sum += read_imagef(image, sampler, (float2)(at, y + k));
    }
    keep(sum.x + sum.y + sum.z + sum.w, out);
}

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void fetchNearest(read_only image2d_t image, int turns,
                                                                          global float* out)
{
    fetchTexels(image, nearest, turns, out);
}

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void fetchLinear(read_only image2d_t image, int turns,
                                                                         global float* out)
{
    fetchTexels(image, linear, turns, out);
}

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void readLocal(int turns, global float* out)
{
    local float4 values[1024];
    const int thread = get_local_id(0);
    for (int k = thread; k < 1024; k += 256)
        values[k] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile local const float4* at = values + thread;
    float4 sum = 0;
    for (int turn = 0; turn < turns; ++turn)
#pragma unroll
        for (int k = 0; k < 16; ++k)
            sum += at[256 * (k % 4)];
    keep(sum.x + sum.y + sum.z + sum.w, out);
}

// Vectors, so that processors compute eight numbers at a time too, and as many as hide the latency.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void multiplyAdd(float factor, int turns, global float* out)
{
    const float8 factors = factor;
    float8 sums[8];
#pragma unroll
    for (int k = 0; k < 8; ++k)
        sums[k] = k;
    for (int turn = 0; turn < turns; ++turn)
#pragma unroll
        for (int k = 0; k < 16; ++k)
            sums[k % 8] = fma(sums[k % 8], factors, factors);
    float8 sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k)
        sum += sums[k];
    keep(sum.s0 + sum.s1 + sum.s2 + sum.s3 + sum.s4 + sum.s5 + sum.s6 + sum.s7, out);
}
)cl";

constexpr int peakThreads = 256, groupsPerUnit = 8, operationsPerTurn = 16;
constexpr int textureSide = 64;
constexpr double leastSeconds = 2e-3; // of a run: long beside the time of a launch
constexpr int mostTurns = 1 << 20;
constexpr int tries = 3;

class Measurement
{
  public:
    explicit Measurement(int index) : m_device(index), m_queue(m_device.makeQueue())
    {
        m_out.reserve(m_device.context(), sizeof(cl_float));
    }

    OpenClPeaks peaks()
    {
        OpenClPeaks peaks;
        if (m_device.facts().hasImages)
            for (const bool half : {false, true})
                for (const int channels : {1, 2, 4})
                    if (isReadRightly(channels, half))
                        addFetches(peaks, channels, half);
        peaks.localBytes = 4 * sizeof(cl_float) * perSecond("readLocal", [&](cl_kernel k, cl_int turns) {
                               setArguments(k, turns, m_out.get());
                           });
        peaks.multiplyAdds = 8 * perSecond("multiplyAdd", [&](cl_kernel k, cl_int turns) {
                                 setArguments(k, cl_float{0.999F}, turns, m_out.get());
                             });
        return peaks;
    }

  private:
    bool isReadRightly(int channels, bool half)
    {
        try {
            return m_device.channelsFor(channels, half) == channels;
        } catch (const Error&) { // neither are larger formats
            return false;
        }
    }

    void addFetches(OpenClPeaks& peaks, int channels, bool half)
    {
        const std::size_t bytes = std::size_t(textureSide) * textureSide * channels * (half ? 2 : 4);
        Image image;
        image.reserve(m_device.context(),
                      {.channels = channels, .half = half, .width = textureSide, .height = textureSide});
        Buffer zeros;
        zeros.reserve(m_device.context(), bytes);
        const std::vector<std::uint8_t> values(bytes, 0);
        check(functions().clEnqueueWriteBuffer(m_queue.get(), zeros.get(), CL_TRUE, 0, bytes, values.data(), 0, nullptr,
                                               nullptr),
              "clEnqueueWriteBuffer");
        wait(image.fill(m_queue.get(), zeros.get()));
        for (const bool nearest : {false, true})
            peaks.fetches[{channels, half, nearest}] =
                perSecond(nearest ? "fetchNearest" : "fetchLinear",
                          [&](cl_kernel k, cl_int turns) { setArguments(k, image.get(), turns, m_out.get()); });
    }

    // Returns the operations per second of the fastest of a few runs. The first run, of one turn, warms up.
    template <class SetArguments>
    double perSecond(const char* name, const SetArguments& set)
    {
        const cl_kernel kernel = m_device.kernel(peaksSource, "-w -cl-std=CL1.2", name);
        const auto groups = static_cast<std::size_t>(std::max(1, m_device.facts().computeUnits)) * groupsPerUnit;
        const auto secondsOf = [&](int turns) {
            set(kernel, turns);
            const Event event = enqueue(m_queue.get(), kernel, {groups}, peakThreads);
            wait(event);
            return secondsBetween(event, event);
        };
        int turns = 1;
        secondsOf(turns);
        double best = secondsOf(turns);
        while (best < leastSeconds && turns < mostTurns) {
            turns *= best < leastSeconds / 8 ? 8 : 2;
            best = secondsOf(turns);
        }
        for (int run = 1; run < tries; ++run)
            best = std::min(best, secondsOf(turns));
        if (!(best > 0))
            throw Error(ErrorKind::device, "the OpenCL device " + m_device.facts().name + " reports no times");
        return 1.0 * operationsPerTurn * turns * peakThreads * static_cast<double>(groups) / best;
    }

    OpenedDevice m_device;
    Queue m_queue;
    Buffer m_out;
};

} // namespace

} // namespace engine::opencl

engine::OpenClPeaks engine::openClPeaks(int index)
{
    static std::mutex mutex;
    static std::map<int, OpenClPeaks> measured;
    const std::lock_guard guard(mutex);
    auto known = measured.find(index);
    if (known == measured.end()) {
        opencl::handleOf(index); // throws if there is none
        known = measured.emplace(index, opencl::Measurement(index).peaks()).first;
    }
    return known->second;
}
