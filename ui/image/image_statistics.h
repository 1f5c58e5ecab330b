// SPDX-License-Identifier: GPL-3.0-or-later
// Percentiles and histograms of images, from a sample where they are large.
#pragma once

#include "ui/image/pixels.h"
#include "ui/image/shading.h"

namespace ui
{

// Finite values inside the disc that touches the edges of the slice, every n-th along both sides so
// that about `limit` remain. The whole image where none of it lies in the disc.
std::vector<float> sampleDisc(const Pixels& pixels, int limit = 1 << 17);

// The same of a part of the slice, in its pixels.
std::vector<float> sampleOf(const Pixels& pixels, const QRectF& part, int limit = 1 << 17);

// Fraction in [0, 1], linear between neighbouring values; NaN without values. Reorders the values.
double percentile(std::vector<float>& values, double fraction);

// The 0.5 and 99.5 percentiles, widened where they coincide.
GreyWindow automaticWindow(std::vector<float> values);
// What that fraction of |value| lies within; never 0.
double automaticRange(std::vector<float> differences, double fraction = 0.999);
// The largest value inside the disc less the smallest one, of all pixels; 1 where they are all the same.
double rangeInDisc(const Pixels& pixels);

// Counts between the ends of the domain; values outside are left out.
std::vector<int> histogram(const std::vector<float>& values, const GreyWindow& domain, int bins);

long long countNotFinite(const Pixels& pixels);

} // namespace ui
