// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the pixels in an area: mean, spread, noise.
#pragma once

#include "engine/compare/mask.h"

#include <span>

namespace engine
{

// Statistics of the finite pixels of an area, in the image's unit; NaN if there are none.
struct AreaStatistics {
    long long pixels = 0;    // of the area
    long long notFinite = 0; // of these: NaN or infinite, in no other figure
    double mean = 0;
    double deviation = 0; // σ: root of the mean squared distance to the mean; includes structure as well as noise
    double minimum = 0, maximum = 0;

    // σ of the noise alone, if edges and slopes are few: median |m| / (6·0.6745) of
    //
    //        1 −2  1
    //   m = −2  4 −2   with points 3 pixels apart, where all nine are finite and in the area.
    //        1 −2  1
    //
    // The mask (Immerkær, "Fast noise variance estimation", Computer Vision and Image Understanding 64, 1996) cancels
    // planes, and has √(Σ weights²) = 6. Immerkær uses adjacent points and the mean, which is right for white noise
    // without edges. Noise of reconstructions isn't white: filter and interpolation correlate neighbours, so that his
    // estimate may be as small as a fifth of σ. Pixels three apart are hardly correlated. The median (divided by
    // 0.6745 it is the σ of a normal distribution; Hampel 1974) is robust against edges: edges in a fifth of the masks
    // make it 1.3 times as large. Accuracy for white noise: within 1 % on 10⁵ pixels. Accuracy for reconstructions of
    // a phantom with counted photons: within 20 % in uniform areas; in areas with all of its edges it is 25 to 40 %
    // too large (512² and 256² pixels), where `deviation` is 2 to 20 times too large. 0 if half of the area is flat,
    // as outside the disc that a scan sees. NaN if no mask fits (7 × 7 pixels).
    double noise = 0;
};

// Computes the statistics of an image of width × height, row by row. Throws Error(badRequest) when the size differs,
// or the mask is empty.
AreaStatistics statisticsOf(std::span<const float> image, int width, int height, const Mask& mask = {});

// Returns AreaStatistics::noise alone.
double noiseIn(std::span<const float> image, int width, int height, const Mask& mask = {});

// Returns |mean a − mean b| / √((σa² + σb²)/2) with the deviations. Infinite for two flat areas that differ, NaN for
// two that don't.
double contrastToNoise(const AreaStatistics& a, const AreaStatistics& b);

} // namespace engine
