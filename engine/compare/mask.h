// SPDX-License-Identifier: GPL-3.0-or-later
// Which pixels of an image count, and where they lie in its rows.
#pragma once

#include "engine/compare/area.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace engine
{

// A disc around the middle, a rectangle and an area, each where it is given: what all of them hold. None: all pixels.
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

// The masked pixels of an image, as runs of each row: in order, none empty, no two touching.
class MaskRows
{
  public:
    // Throws Error(badRequest) when the mask makes no sense, or holds no pixel of an image of width × height.
    MaskRows(const Mask& mask, int width, int height);

    std::span<const Run> runs(int row) const // 0 ≤ row < height
    {
        return std::span(m_runs).subspan(m_first[row], m_first[row + 1] - m_first[row]);
    }
    const Region& bounds() const { return m_bounds; } // the smallest rectangle around all of them
    long long pixels() const { return m_pixels; }

  private:
    std::vector<Run> m_runs;
    std::vector<std::size_t> m_first; // [height + 1], of each row's runs
    Region m_bounds;
    long long m_pixels = 0;
};

} // namespace engine
