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

// Line segment within a slice, in columns and rows of its pixels; the centre of the top left pixel is (0, 0).
struct SliceSegment {
    double column0 = 0, row0 = 0, column1 = 0, row1 = 0;
};

// Mapping for a geometry with a known axis (axisBins: one, or one per projection; if empty, the middle is used).
class Sight
{
  public:
    explicit Sight(const Geometry& geometry);

    int projections() const { return static_cast<int>(m_matrices.size()); }
    DetectorPlace placeOf(int projection, double column, double row, double slice) const;
    // Returns the line in the slice along which the rays to that bin cross it; nothing if they miss it.
    std::optional<SliceSegment> lineAt(int projection, double bin, double slice) const;
    // The first returns the detector position of the middle of a slice; the second the slice whose middle is seen at
    // a detector row.
    DetectorPlace middleOf(int projection, double slice) const;
    double sliceAt(int projection, double detectorRow) const;

  private:
    std::vector<ProjectionMatrix> m_matrices; // (column, row, slice, 1) → (bin·w, row·w, w)
    double m_size = 0;
};

} // namespace engine
