// The values behind one image: a slice, or the difference of two, placed within the whole slice.
#pragma once

#include "engine/volume.h"

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
    // a − b, worked out row by row when it is asked for. Empty unless both lie on the same grid.
    static Pixels difference(const Pixels& a, const Pixels& b);

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

  private:
    std::shared_ptr<const engine::Volume> m_volume;
    std::shared_ptr<const engine::Volume> m_subtracted;
    int m_index = 0;
    int m_subtractedIndex = 0;
    engine::SliceGrid m_grid;
};

} // namespace ui
