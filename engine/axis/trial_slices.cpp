// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/axis/trial_slices.h"

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/base/parallel_for.h"
#include "engine/filter/filter.h"
#include "engine/prepare/virtual_detector.h"
#include "engine/scan/ray_weights.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace engine
{

Sharpness sharpnessOf(std::span<const float> image, int size, double least, double most)
{
    constexpr int levels = 256;
    std::array<double, levels + 1> histogram{};
    const double scale = most > least ? (levels - 1) / (most - least) : 0;
    const double middle = (size - 1) / 2.0, radius = .475 * size;
    double variation = 0, squares = 0, pixels = 0;
    for (int row = 0; row + 1 < size; ++row) {
        const double y = row - middle;
        if (std::abs(y) >= radius)
            continue;
        const double half = std::sqrt(radius * radius - y * y);
        const int first = std::max(0, static_cast<int>(middle - half));
        const int last = std::min(size - 2, static_cast<int>(middle + half));
        const float* line = image.data() + static_cast<std::size_t>(row) * size;
        for (int column = first; column <= last; ++column) {
            const double right = line[column + 1] - line[column], down = line[column + size] - line[column];
            variation += std::sqrt(right * right + down * down);
            squares += static_cast<double>(line[column]) * line[column];
            // Split between the two nearest levels, so that the histogram changes smoothly with the values.
            const double there = (line[column] - least) * scale;
            const double level = there > 0 ? std::min(there, levels - 1.0) : 0; // 0 for NaN
            const int below = static_cast<int>(level);
            histogram[below] += 1 - (level - below);
            histogram[below + 1] += level - below;
            pixels += 1;
        }
    }
    Sharpness sharpness;
    for (const double count : histogram)
        if (count > 0)
            sharpness.entropy -= count / pixels * std::log2(count / pixels);
    sharpness.totalVariation = squares > 0 ? variation / std::sqrt(squares * pixels) : 0;
    return sharpness;
}

TrialSlices::TrialSlices(const ReducedRow& row, int threads) : m_row(row), m_threads(threads) {}

Volume TrialSlices::slice(double axisBins, const std::stop_token& stop) const
{
    ParallelBeam beam;
    beam.bins = m_row.row.bins;
    beam.anglesRad = m_row.anglesRad;
    beam.axisBins = {axisBins};
    const VirtualDetector detector{Geometry(beam)};
    const Geometry& geometry = detector.geometry();
    const RayWeights weights = weighRays(geometry).weights;
    const FilterSettings hann{.window = Window::hann}; // suppresses noise, which adds to both measures
    const FilteredSinograms filtered =
        filterSinograms(detector.isRecorded() ? m_row.row : detector.see(m_row.row, 0, {0, 1}), hann, weights,
                        FilterPrecision::float32, m_threads, {}, stop);
    const int size = m_row.row.bins;
    const VolumeGrid grid{{size, 0, 0, size, size, 1}};
    Volume image(1, size, size);
    Workspace workspace;
    launch(*findMethod("cpu", geometry),
           {.sinograms = filtered,
            .geometry = geometry,
            .grid = grid,
            .kernel = {.method = "cpu"},
            .threads = m_threads,
            .image = image,
            .stop = stop},
           workspace);
    return image;
}

} // namespace engine
