// SPDX-License-Identifier: GPL-3.0-or-later
// Slices of one row with the axis here and there, and how sharp they are.
#pragma once

#include "engine/axis/curve.h"
#include "engine/data/volume.h"

#include <span>

namespace engine
{

// What a wrong axis adds to: doubled edges and streaks. Least is sharpest.
struct Sharpness {
    double entropy = 0;        // of the histogram of the values, in bits
    double totalVariation = 0; // mean |gradient| per pixel, as a share of the values' root mean square
};

// Of a square image, within a circle of 0.95 of its width. least, most: of the histogram's values; what lies beyond
// counts as the nearest.
Sharpness sharpnessOf(std::span<const float> image, int size, double least, double most);

// Of a reduced row, filtered as it is reconstructed, half acquisition too; as many pixels as bins.
class TrialSlices
{
  public:
    TrialSlices(const ReducedRow& row, int threads);

    Volume slice(double axisBins, const std::stop_token& stop) const; // axis in reduced bins

  private:
    const ReducedRow& m_row;
    int m_threads;
};

} // namespace engine
