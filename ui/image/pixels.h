// SPDX-License-Identifier: GPL-3.0-or-later
// The values behind one image: a slice, or the difference of two, placed within the whole slice.
#pragma once

#include "engine/data/volume.h"
#include "ui/image/difference_kind.h"

#include <QPointF>
#include <QRectF>

#include <memory>
#include <optional>
#include <vector>

namespace ui
{

struct GridSlice;

// Values of one image. Positions are in pixels of the whole slice; the centre of its top left pixel is (0, 0).
class Pixels
{
  public:
    Pixels() = default;
    explicit Pixels(const GridSlice& plane);
    // Returns the difference of two images, computed row by row on demand. Empty unless both lie on the same grid.
    // Relative differences are in per cent, and 0 where both values are equal. rangeOfB: divisor of
    // DifferenceKind::ofRange.
    static Pixels difference(const Pixels& a, const Pixels& b, DifferenceKind kind = DifferenceKind::plain,
                             double rangeOfB = 1);

    explicit operator bool() const { return m_volume != nullptr; }
    const engine::SliceGrid& grid() const { return m_grid; }
    int width() const { return m_grid.width; }
    int height() const { return m_grid.height; }

    // Return a row of values, or `count` of them from column `begin` on; they lie in the volume itself or in `buffer`.
    const float* row(int row, std::vector<float>& buffer) const { return part(row, 0, m_grid.width, buffer); }
    const float* part(int row, int begin, int count, std::vector<float>& buffer) const;
    // Returns the value of the pixel that covers a position; nothing outside.
    std::optional<float> at(QPointF position) const;
    // Returns the rectangle that the pixels cover. A coarse grid that ends less than one of its pixels before the
    // edge of the slice is extended to the edge, so that a preview and the full image cover the same rectangle.
    QRectF area() const;
    bool sameValues(const Pixels& other) const;
    // For a difference: returns whether A and B have the same values (or both NaN) in all pixels in that part of the
    // slice.
    bool isZero(const QRectF& part) const;

  private:
    std::shared_ptr<const engine::Volume> m_volume;
    std::shared_ptr<const engine::Volume> m_subtracted;
    int m_index = 0;
    int m_subtractedIndex = 0;
    DifferenceKind m_kind = DifferenceKind::plain;
    float m_percent = 100; // 100 / range of B, for DifferenceKind::ofRange
    engine::SliceGrid m_grid;
};

} // namespace ui
