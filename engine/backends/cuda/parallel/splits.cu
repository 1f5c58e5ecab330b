// SPDX-License-Identifier: GPL-3.0-or-later
// Rays of a launch, and the sum over the splits of the projections.
#include "engine/backends/cuda/parallel/launch.h"
#include "engine/scan/geometry.h"

#include <cmath>

namespace engine::cuda
{

std::vector<Ray> raysOf(const ParallelBeam& beam, const SliceGrid& grid)
{
    std::vector<Ray> rays(beam.anglesRad.size());
    for (std::size_t p = 0; p < rays.size(); ++p) {
        const double axis = beam.axisBins.size() == 1 ? beam.axisBins[0] : beam.axisBins[p];
        const double cosine = std::cos(beam.anglesRad[p]), sine = std::sin(beam.anglesRad[p]);
        Ray& ray = rays[p];
        ray.start = axis + grid.x(0) * cosine + grid.y(0) * sine;
        ray.perColumn = grid.step * cosine;
        ray.perRow = -grid.step * sine;
        ray.single = {static_cast<float>(ray.start), static_cast<float>(ray.perColumn), static_cast<float>(ray.perRow),
                      0};
    }
    return rays;
}

namespace
{

__global__ void __launch_bounds__(256)
    sumKernel(const float* partial, float* image, std::size_t values, int splits, const float* unscale)
{
    const std::size_t i = blockIdx.x * std::size_t{256} + threadIdx.x;
    if (i >= values)
        return;
    float sum = 0;
    for (int k = 0; k < splits; ++k)
        sum += partial[k * values + i];
    image[i] = sum * *unscale;
}

} // namespace

void sumSplits(const KernelArguments& arguments)
{
    if (arguments.splits <= 1)
        return;
    const std::size_t values =
        static_cast<std::size_t>(arguments.width) * arguments.height * arguments.sinograms.slices;
    sumKernel<<<static_cast<unsigned>((values + 255) / 256), 256, 0, arguments.stream>>>(
        arguments.partial, arguments.image, values, arguments.splits, arguments.unscale);
    SINOSCOPE_CUDA_LAUNCHED();
}

} // namespace engine::cuda
