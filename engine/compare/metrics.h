// SPDX-License-Identifier: GPL-3.0-or-later
// Numerical differences between two images.
#pragma once

#include "engine/compare/mask.h"

#include <span>

namespace engine
{

struct Metrics {
    double rmse = 0;
    double maximum = 0; // largest |a − b|
    double psnrDb = 0;  // 20·log10(range/rmse); range: of the reference's values inside the mask
    // Wang et al. 2004, Gaussian σ = 1.5 over 11×11, K1 = .01, K2 = .03, same range. Counts the pixels whose window
    // lies inside the image and is finite; NaN if there are none.
    double ssim = 0;
    double referenceRange = 0, referenceLeast = 0;
    double meanImage = 0, meanReference = 0;
    long long pixels = 0;    // compared, or not finite
    long long gaps = 0;      // pixels where both are NaN, as outside of a volume; in no figure
    long long notFinite = 0; // other pixels where either is NaN or infinite; if any, the figures are NaN, unless these
                             // pixels are left out
    struct Pixel {
        int column, row;
    };
    Pixel notFiniteAt = {0, 0}; // the first of them
};

// Description of a figure of Metrics.
struct MetricRow {
    enum class Form { difference, decibels, similarity }; // format; differences have the images' unit

    const char* id;      // of the window's labels
    const char* json;    // key in reports
    const char* label;   // "RMSE"
    const char* summary; // for tooltips
    Form form;
    double Metrics::*value;
    bool ofRange = false; // also useful as a share of the reference's range
};

// The table of compared figures: the window, reports, their JSON and the command line loop over it.
std::span<const MetricRow> metricRows();

// Compares images of width × height, row by row. Takes time in proportion to the masked pixels. leavesOut: RMSE and
// maximum are those of the other pixels, if some aren't finite. withSsim: SSIM takes many times as long as the rest;
// NaN without it. Throws Error(badRequest) when the sizes differ, or the mask is empty.
Metrics compareImages(std::span<const float> image, std::span<const float> reference, int width, int height,
                      const Mask& mask = {}, bool leavesOut = false, bool withSsim = true);

} // namespace engine
