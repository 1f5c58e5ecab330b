// SPDX-License-Identifier: GPL-3.0-or-later
// Innermost loops of planes on the processor whose lines of pixels are level, so that all pixels of a line meet the
// same row of a parallel beam's detector. Compiled with Highway for several instruction sets, one of which is chosen at
// run time.
#pragma once

#include <cstddef>
#include <span>

namespace engine
{

constexpr int levelPixels = 512; // most pixels of a block's line, a multiple of all vectors' lengths
constexpr int levelRows = 4;     // that are summed together

// A projection as seen from a line: the pixel at x meets bin h + x·hStep, |hStep| ≤ 1.
struct LevelRay {
    std::ptrdiff_t offset = 0; // of the projection's bin 0 from a row's first value
    double h = 0, hStep = 0;
};

// A line of pixels at x, x + 1, …, for which values of several rows of the detector are summed separately.
struct LevelBlock {
    std::span<const LevelRay> rays;
    double x = 0;
    int pixels = 0;                // 1…levelPixels
    const float* values = nullptr; // filtered; of the first row
    std::ptrdiff_t rowStride = 0;  // values from one row to the next
    int rows = 0, bins = 0;
    float* sums = nullptr; // [rows, rounded up to levelRows][levelPixels], aligned to a vector; added to
};

using LevelKernel = void (*)(const LevelBlock&);
LevelKernel levelKernel(bool linear);

} // namespace engine
