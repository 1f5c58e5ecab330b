// SPDX-License-Identifier: GPL-3.0-or-later
// Method `exact-cuda`: one thread per pixel reads all projections in turn from memory, in double precision; not
// optimised. Compiled without fused multiply-adds (engine/CMakeLists.txt), like `exact` on x86-64 processors, so that
// the bits are the same.
#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/device/stream.h"
#include "engine/backends/cuda/parallel/exact_sums.h"
#include "engine/backends/parallel/exact.h"
#include "engine/base/error.h"
#include "engine/base/stopwatch.h"

#include <algorithm>

namespace engine
{

namespace
{

// A warp is 8 × 4 pixels, whose rays lie close together.
constexpr int blockWidth = 8, blockHeight = 32;
// A stop request is checked once per band, about every 30 ms on a GPU with slow double precision. Bands of fewer
// pixels would not fill a GPU.
constexpr double updatesPerBand = 1 << 28, leastPixelsPerBand = 1 << 16;

struct Band {
    const double* values; // [projection][bin]
    const double* cosine; // [projection], like sine and axis
    const double* sine;
    const double* axis;
    const double* x; // [width]
    const double* y; // [height]
    double* sums;    // [rows][width], every value is overwritten
    int bins, projections, width, firstRow, rows, oversampling;
};

// Computes the same positions as rowPositions and columnOffsets (rays.h).
template <Interpolation interpolation>
__global__ void __launch_bounds__(blockWidth* blockHeight) exactKernel(const __grid_constant__ Band band)
{
    const int column = blockIdx.x * blockWidth + threadIdx.x;
    const int row = blockIdx.y * blockHeight + threadIdx.y;
    if (column >= band.width || row >= band.rows)
        return;
    const double x = band.x[column], y = band.y[band.firstRow + row];
    double sum = 0;
    for (int p = 0; p < band.projections; ++p) {
        const ExactProjection projection{band.values + static_cast<std::size_t>(p) * band.bins, band.bins};
        const double position = band.axis[p] + y * band.sine[p];
        sum += projection.sample(position + x * band.cosine[p], interpolation, band.oversampling);
    }
    band.sums[static_cast<std::size_t>(row) * band.width + column] = sum;
}

void launch(const Band& band, Interpolation interpolation, cudaStream_t stream)
{
    const dim3 grid((band.width + blockWidth - 1) / blockWidth, (band.rows + blockHeight - 1) / blockHeight);
    const dim3 block(blockWidth, blockHeight);
    const auto kernel = [&] {
        switch (interpolation) {
        case Interpolation::nearest:
            return exactKernel<Interpolation::nearest>;
        case Interpolation::oversampled:
            return exactKernel<Interpolation::oversampled>;
        case Interpolation::cubic:
            return exactKernel<Interpolation::cubic>;
        case Interpolation::linear:
            break;
        }
        return exactKernel<Interpolation::linear>;
    }();
    cuda::noteLaunch(kernel, blockWidth * blockHeight);
    kernel<<<grid, block, 0, stream>>>(band);
    SINOSCOPE_CUDA_LAUNCHED();
}

void upload(DeviceBuffer<double>& to, std::span<const double> from, const Stream& stream)
{
    to.reserve(from.size());
    SINOSCOPE_CUDA(cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream.get()));
}

int rowsPerBand(const SliceGrid& grid, int projections)
{
    const double pixels = std::max(updatesPerBand / projections, leastPixelsPerBand);
    return static_cast<int>(std::clamp(pixels / grid.width, 1.0, static_cast<double>(grid.height)));
}

class ExactLaunch
{
  public:
    ExactLaunch(const LaunchArguments& arguments, const TakeSums& take)
        : m_arguments(arguments), m_take(take), m_input(exactInputOf(arguments)),
          m_bandRows(rowsPerBand(arguments.grid, arguments.sinograms.projections)),
          m_hostSums(static_cast<std::size_t>(m_bandRows) * arguments.grid.width)
    {
        const SliceGrid& grid = arguments.grid;
        std::vector<double> x(grid.width), y(grid.height);
        for (int column = 0; column < grid.width; ++column)
            x[column] = grid.x(column);
        for (int row = 0; row < grid.height; ++row)
            y[row] = grid.y(row);
        upload(m_x, x, m_stream);
        upload(m_y, y, m_stream);
        upload(m_cosine, m_input.rays.cosine, m_stream);
        upload(m_sine, m_input.rays.sine, m_stream);
        upload(m_axis, m_input.rays.axisBins, m_stream);
        m_sums.reserve(m_hostSums.size());
        m_stream.synchronize();
    }

    double run() // returns the seconds of the kernel
    {
        const SinogramView& data = m_arguments.sinograms;
        const std::size_t sinogram = static_cast<std::size_t>(data.projections) * data.bins;
        for (int slice = 0; slice < data.slices; ++slice) {
            upload(m_values, {m_input.slice(slice, data), sinogram}, m_stream);
            for (int row = 0; row < m_arguments.grid.height; row += m_bandRows) {
                throwIfStopped(m_arguments.stop);
                addBand(slice, row, std::min(m_bandRows, m_arguments.grid.height - row));
            }
        }
        throwIfStopped(m_arguments.stop);
        return m_kernelSeconds;
    }

  private:
    void addBand(int slice, int firstRow, int rows)
    {
        const SinogramView& data = m_arguments.sinograms;
        const int width = m_arguments.grid.width;
        m_begun.record(m_stream.get());
        launch({m_values.data(), m_cosine.data(), m_sine.data(), m_axis.data(), m_x.data(), m_y.data(), m_sums.data(),
                data.bins, data.projections, width, firstRow, rows, m_arguments.kernel.oversampling},
               m_arguments.kernel.interpolation, m_stream.get());
        m_ended.record(m_stream.get());
        SINOSCOPE_CUDA(cudaMemcpyAsync(m_hostSums.data(), m_sums.data(), sizeof(double) * rows * width,
                                       cudaMemcpyDeviceToHost, m_stream.get()));
        m_stream.synchronize();
        m_kernelSeconds += m_ended.secondsSince(m_begun);
        for (int row = 0; row < rows; ++row) {
            const std::span<double> sums(m_hostSums.data() + static_cast<std::size_t>(row) * width, width);
            for (double& sum : sums)
                sum /= m_input.scale;
            m_take(slice, firstRow + row, 0, sums);
        }
        if (m_arguments.progress) {
            const double done = static_cast<double>(firstRow + rows) / m_arguments.grid.height;
            m_arguments.progress((slice + done) / data.slices);
        }
    }

    const LaunchArguments& m_arguments;
    const TakeSums& m_take;
    const ExactInput m_input;
    const int m_bandRows;
    std::vector<double> m_hostSums; // of a band
    Stream m_stream;
    Event m_begun, m_ended;
    DeviceBuffer<double> m_values; // of a slice
    DeviceBuffer<double> m_cosine, m_sine, m_axis, m_x, m_y, m_sums;
    double m_kernelSeconds = 0;
};

} // namespace

LaunchReport exactSumsOnGpu(const LaunchArguments& arguments, const TakeSums& take)
{
    const Stopwatch watch;
    SINOSCOPE_CUDA(cudaSetDevice(arguments.deviceIndex));
    const double kernelSeconds = ExactLaunch(arguments, take).run();
    return {.kernelSeconds = kernelSeconds, .totalSeconds = watch.seconds()};
}

} // namespace engine
