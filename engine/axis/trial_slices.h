// SPDX-License-Identifier: GPL-3.0-or-later
// Trial slices of one row with the axis at different positions, and their sharpness.
#pragma once

#include "engine/axis/curve.h"
#include "engine/data/volume.h"

#include <span>

namespace engine
{

// Sharpness of a slice. A wrong axis increases both measures by doubled edges and streaks; the lowest value is
// sharpest.
struct Sharpness {
    double entropy = 0;        // of the histogram of the values, in bits
    double totalVariation = 0; // mean |gradient| per pixel, as a share of the values' root mean square
};

// Sharpness of a square image within a circle of 0.95 of its width. least, most: range of the histogram; values
// beyond it count at its ends.
Sharpness sharpnessOf(std::span<const float> image, int size, double least, double most);

// Slices of a reduced row. They are weighted and filtered like reconstructions, so the axis may be off-centre (half
// acquisition). A slice has as many pixels along each side as the row has bins.
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
