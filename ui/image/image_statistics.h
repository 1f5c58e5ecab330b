// SPDX-License-Identifier: GPL-3.0-or-later
// Percentiles and histograms of images. Large images are sampled.
#pragma once

#include "ui/image/pixels.h"
#include "ui/image/shading.h"

namespace ui
{

// Returns finite values inside the disc that touches the edges of the slice: those of every n-th pixel along both
// axes, so that about `limit` remain. Samples the whole image if the disc has none.
std::vector<float> sampleDisc(const Pixels& pixels, int limit = 1 << 17);

// Returns finite values of a part of the slice (in its pixels), sampled in the same way.
std::vector<float> sampleOf(const Pixels& pixels, const QRectF& part, int limit = 1 << 17);

// Returns a percentile for a fraction in [0, 1], interpolated linearly; NaN without values. Reorders the values.
double percentile(std::vector<float>& values, double fraction);

// Returns the 0.5 and 99.5 percentiles, widened if they coincide.
GreyWindow automaticWindow(std::vector<float> values);
// Returns the limit that `fraction` of all |value| don't exceed; never 0.
double automaticRange(std::vector<float> differences, double fraction = 0.999);
// Returns the difference between the largest and the smallest value inside the disc, from all pixels; 1 if all are
// the same.
double rangeInDisc(const Pixels& pixels);

// Counts values in bins between the ends of the domain. Values outside are ignored.
std::vector<int> histogram(const std::vector<float>& values, const GreyWindow& domain, int bins);

long long countNotFinite(const Pixels& pixels);

} // namespace ui
