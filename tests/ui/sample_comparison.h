// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons for tests: ellipses with a known value at every pixel.
#pragma once

#include "engine/compare/marks.h"
#include "ui/background/comparison.h"

#include <cmath>

namespace sample
{

// A body with two holes, a dense spot and a slight slope, so that no two pixels of a line are equal by chance.
inline float value(double x, double y, double size)
{
    const double u = 2 * x / (size - 1) - 1, v = 2 * y / (size - 1) - 1;
    const auto inside = [u, v](double cx, double cy, double a, double b) {
        const double d = std::hypot((u - cx) / a, (v - cy) / b);
        return 1 / (1 + std::exp((d - 1) * 60)); // an edge some pixels wide
    };
    return static_cast<float>(0.021 * inside(0, 0, 0.72, 0.92) - 0.012 * inside(0.24, 0.05, 0.12, 0.34) -
                              0.012 * inside(-0.24, 0.05, 0.15, 0.4) + 0.006 * inside(0, -0.45, 0.22, 0.2) +
                              0.001 * u * inside(0, 0, 0.72, 0.92));
}

// error: amplitude of a deterministic ripple; step: width of the pixels of a coarse preview.
inline std::shared_ptr<const engine::Volume> volume(int size, double error, int step = 1)
{
    const int width = (size + step - 1) / step;
    auto image = std::make_shared<engine::Volume>(1, width, width);
    for (int row = 0; row < width; ++row)
        for (int column = 0; column < width; ++column)
            image->values[static_cast<std::size_t>(row) * width + column] =
                value(column * step, row * step, size) +
                static_cast<float>(error * std::sin(0.9 * row * step + 0.31 * column * step) *
                                   (0.4 + 0.6 * std::sin(0.05 * row * step)));
    return image;
}

inline engine::SliceGrid grid(int size, int step = 1)
{
    const int width = (size + step - 1) / step;
    return {size, 0, 0, width, width, static_cast<double>(step)};
}

inline std::shared_ptr<const engine::Reconstruction>
reconstruction(int size, const char* method, double error, std::optional<double> pixelSizeMm = {}, int step = 1)
{
    engine::ParallelBeam beam;
    beam.bins = size;
    beam.anglesRad.assign(512, 0.0);
    beam.pixelSizeMm = pixelSizeMm;
    auto scan = std::make_shared<engine::Scan>();
    scan->geometry = beam;
    auto result = std::make_shared<engine::Reconstruction>();
    result->request.scan = scan;
    result->method = method;
    result->device = "AMD EPYC 9354, 32 threads";
    result->request.place.previewStep = step;
    result->grid = {grid(size, step)};
    result->image = *volume(size, error, step);
    result->unit = pixelSizeMm ? "1/mm" : "1/pixel";
    result->timings.read = {0.0123, true};
    result->timings.prepare = {0.0061, true};
    result->timings.axis = {0.042, true};
    result->timings.filter = {0.0087, false};
    result->timings.kernelSeconds = 0.0310;
    result->timings.backprojectSeconds = 0.0345;
    result->timings.totalSeconds = 0.0432;
    result->kernelGups = 4.337;
    result->totalGups = 3.112;
    return result;
}

inline ui::Comparison comparison(int size = 257, bool second = false, std::optional<double> pixelSizeMm = {})
{
    ui::Comparison c;
    const ui::Image exact = reconstruction(size, "exact", 0, pixelSizeMm);
    const auto add = [&](const char* name, double error, const engine::Metrics& metrics) {
        const int k = static_cast<int>(c.compared.size());
        c.compared.push_back({QString::fromLatin1(name),
                              {},
                              reconstruction(size, "cpu", error, pixelSizeMm),
                              k + 1,
                              k,
                              true,
                              exact,
                              metrics});
    };
    add("A", 4e-5, {.rmse = 2.1e-5, .maximum = 4e-5, .psnrDb = 61.23, .ssim = 0.99984, .pixels = 1000});
    if (second)
        add("B", 9e-5, {.rmse = 4.6e-5, .maximum = 9e-5, .psnrDb = 54.02, .ssim = 0.99871, .pixels = 1000});
    c.mask.discRadius = 0.9;
    return c;
}

// Returns the comparison with A marked as a coarse preview, whatever its pixels.
inline ui::Comparison previewed(ui::Comparison c)
{
    auto preview = std::make_shared<engine::Reconstruction>(*c.a().result);
    preview->request.place.previewStep = 4;
    c.compared.front().result = preview;
    return c;
}

inline engine::Mark verticalLine(int size)
{
    return {.shape = engine::Line{(size - 1) / 2.0, 0, (size - 1) / 2.0, size - 1.0}};
}

inline engine::Marks marks(int size)
{
    engine::Marks made = engine::Marks::standard();
    made.add(verticalLine(size).shape);
    return made;
}

} // namespace sample
