// SPDX-License-Identifier: GPL-3.0-or-later
// What the pixels of an area are like: mean, spread, noise.
#pragma once

#include "engine/compare/mask.h"

#include <span>

namespace engine
{

// In the image's unit. Of the finite pixels; NaN where there are none.
struct AreaStatistics {
    long long pixels = 0;    // of the area
    long long notFinite = 0; // of them: NaN or infinite, in no other figure
    double mean = 0;
    double deviation = 0; // σ: root of the mean squared distance to the mean; structure counts as much as noise
    double minimum = 0, maximum = 0;

    // σ of the noise alone, where edges and slopes are few: median |m| / (6·0.6745) of
    //
    //        1 −2  1
    //   m = −2  4 −2   with its points 3 pixels apart, where all nine are finite and in the area.
    //        1 −2  1
    //
    // The mask (Immerkær, "Fast noise variance estimation", Computer Vision and Image Understanding 64, 1996) takes
    // away planes, and has √(Σ weights²) = 6. His points are neighbours and he takes the mean, which is right for
    // white noise without edges. Noise of reconstructions isn't white: filter and interpolation couple neighbours, so
    // that his estimate of σ is down to a fifth of it. Three pixels apart they hardly are. The median (over 0.6745 it
    // is the σ of a normal distribution; Hampel 1974) passes over edges: on a fifth of the masks they make it 1.3 times
    // as large. White noise: within 1 % on 10⁵ pixels. Reconstructions of a phantom with counted photons: within 20 %
    // on even ground, 25 to 40 % too much across all of its edges (512² and 256²), where σ itself is 2 to 20 times too
    // large. 0 where half of the area is flat, as outside the disc that a scan sees. NaN where no mask fits (7 × 7
    // pixels).
    double noise = 0;
};

// Of an image of width × height, row by row. Throws Error(badRequest) when the size differs, or the mask is empty.
AreaStatistics statisticsOf(std::span<const float> image, int width, int height, const Mask& mask = {});

// |mean a − mean b| / √((σa² + σb²)/2) with the deviations. Infinite between two flat areas that differ, NaN
// between two that don't.
double contrastToNoise(const AreaStatistics& a, const AreaStatistics& b);

} // namespace engine
