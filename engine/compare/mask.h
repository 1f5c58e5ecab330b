// SPDX-License-Identifier: GPL-3.0-or-later
// Masks: which pixels of an image are used, as runs of its rows.
#pragma once

#include "engine/compare/area.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace engine
{

// The intersection of a disc around the middle, a rectangle and an area, as far as given. None given: all pixels.
struct Mask {
    std::optional<double> discRadius = {}; // (0, 1], fraction of the half width; 1 touches the nearer edges
    std::optional<Region> region = {};
    std::optional<Area> area = {}; // in pixels of the image
    bool operator==(const Mask&) const = default;
};

// Columns [begin, end) of a row.
struct Run {
    int begin = 0, end = 0;
    bool operator==(const Run&) const = default;
};

// The masked pixels of an image as runs of each row: in order, none empty, no two adjacent.
class MaskRows
{
  public:
    // Throws Error(badRequest) for an invalid mask, or one that contains no pixel of an image of width × height.
    MaskRows(const Mask& mask, int width, int height);

    std::span<const Run> runs(int row) const // 0 ≤ row < height
    {
        return std::span(m_runs).subspan(m_first[row], m_first[row + 1] - m_first[row]);
    }
    const Region& bounds() const { return m_bounds; } // bounding rectangle of all runs
    long long pixels() const { return m_pixels; }

  private:
    std::vector<Run> m_runs;
    std::vector<std::size_t> m_first; // [height + 1]: index of each row's first run
    Region m_bounds;
    long long m_pixels = 0;
};

} // namespace engine
