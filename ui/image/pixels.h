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

struct Plane;

// Positions are pixels of the whole slice, the centre of its top left pixel is (0, 0).
class Pixels
{
  public:
    Pixels() = default;
    explicit Pixels(const Plane& plane);
    // Worked out row by row when it is asked for. Empty unless both lie on the same grid. Shares are in per cent, and 0
    // where both are equal; rangeOfB: what DifferenceKind::ofRange divides by.
    static Pixels difference(const Pixels& a, const Pixels& b, DifferenceKind kind = DifferenceKind::plain,
                             double rangeOfB = 1);

    explicit operator bool() const { return m_volume != nullptr; }
    const engine::SliceGrid& grid() const { return m_grid; }
    int width() const { return m_grid.width; }
    int height() const { return m_grid.height; }

    // A row of values; they lie in the volume itself, or in `buffer`.
    const float* row(int row, std::vector<float>& buffer) const;
    // The pixel that covers a position; nothing outside.
    std::optional<float> at(QPointF position) const;
    // What the pixels cover. A coarse grid that ends less than one of its pixels before the edge of the
    // slice is taken to reach the edge, so that a preview and the full image cover the same rectangle.
    QRectF area() const;
    bool sameValues(const Pixels& other) const;
    // Of a difference: A and B have the same values (or none, both) in all pixels that lie in that part of the slice.
    bool isZero(const QRectF& part) const;

  private:
    std::shared_ptr<const engine::Volume> m_volume;
    std::shared_ptr<const engine::Volume> m_subtracted;
    int m_index = 0;
    int m_subtractedIndex = 0;
    DifferenceKind m_kind = DifferenceKind::plain;
    float m_percent = 100; // over the range of B
    engine::SliceGrid m_grid;
};

} // namespace ui
