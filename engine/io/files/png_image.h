// SPDX-License-Identifier: GPL-3.0-or-later
// Small grey pictures of images as PNG (ISO/IEC 15948), for reports.
#pragma once

#include <span>
#include <string>

namespace engine
{

// Returns the bytes of an 8-bit grey PNG of an image [height][width]. low, high: values shown as black and white;
// others are clipped, and values that aren't finite are black. mostPixels: per side; larger images are averaged over
// squares of whole pixels.
std::string greyPng(std::span<const float> image, int width, int height, double low, double high, int mostPixels);

// Returns "data:image/png;base64,…".
std::string dataUri(const std::string& png);

} // namespace engine
