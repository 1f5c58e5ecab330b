// SPDX-License-Identifier: GPL-3.0-or-later
// Maps points of a slice to detector positions, and detector positions to lines through a slice.
#pragma once

#include "engine/scan/geometry.h"

#include <array>
#include <optional>
#include <vector>

namespace engine
{

struct DetectorPlace {
    double bin = 0, row = 0; // row: of the detector
};

// Columns and rows of a slice are those of its pixels, the centre of the top left one at (0, 0).
struct SliceSegment {
    double column0 = 0, row0 = 0, column1 = 0, row1 = 0;
};

// Of a geometry whose axis is known (axisBins: one, or one per projection; none are taken as the middle).
class Sight
{
  public:
    explicit Sight(const Geometry& geometry);

    int projections() const { return static_cast<int>(m_matrices.size()); }
    DetectorPlace placeOf(int projection, double column, double row, double slice) const;
    // Where the rays that end in that bin cross the slice, whole; nothing where they pass it.
    std::optional<SliceSegment> lineAt(int projection, double bin, double slice) const;
    // Where the middle of the slice is seen, and the slice whose middle is seen there.
    DetectorPlace middleOf(int projection, double slice) const;
    double sliceAt(int projection, double detectorRow) const;

  private:
    std::vector<ProjectionMatrix> m_matrices; // (column, row, slice, 1) → (bin·w, row·w, w)
    double m_size = 0;
};

} // namespace engine
