#include "ui/image/pixels.h"

#include "ui/comparison.h"

#include <algorithm>
#include <cmath>

namespace ui
{

Pixels::Pixels(const Plane& plane)
{
    const engine::SliceGrid& grid = plane.grid;
    const bool usable = plane.volume && plane.index >= 0 && plane.index < plane.volume->slices && grid.step > 0 &&
                        grid.width > 0 && grid.height > 0 && grid.width == plane.volume->width &&
                        grid.height == plane.volume->height;
    if (!usable)
        return;
    m_volume = plane.volume;
    m_index = plane.index;
    m_grid = grid;
}

Pixels Pixels::difference(const Pixels& a, const Pixels& b)
{
    if (!a || !b || a.m_grid != b.m_grid)
        return {};
    Pixels result = a;
    result.m_subtracted = b.m_volume;
    result.m_subtractedIndex = b.m_index;
    return result;
}

const float* Pixels::row(int row, std::vector<float>& buffer) const
{
    const std::size_t offset = static_cast<std::size_t>(row) * m_grid.width;
    const float* values = m_volume->slice(m_index).data() + offset;
    if (!m_subtracted)
        return values;
    const float* other = m_subtracted->slice(m_subtractedIndex).data() + offset;
    buffer.resize(m_grid.width);
    for (int column = 0; column < m_grid.width; ++column)
        buffer[column] = values[column] - other[column];
    return buffer.data();
}

std::optional<float> Pixels::at(QPointF position) const
{
    if (!m_volume || !area().contains(position))
        return std::nullopt;
    const auto nearest = [this](double offset, int count) {
        return std::clamp(static_cast<int>(std::floor(offset / m_grid.step + 0.5)), 0, count - 1);
    };
    const std::size_t index =
        static_cast<std::size_t>(nearest(position.y() - m_grid.y0, m_grid.height)) * m_grid.width +
        nearest(position.x() - m_grid.x0, m_grid.width);
    const float value = m_volume->slice(m_index)[index];
    return m_subtracted ? value - m_subtracted->slice(m_subtractedIndex)[index] : value;
}

QRectF Pixels::area() const
{
    const double last = m_grid.size - 0.5;
    const auto span = [&](double first, int count) {
        double begin = first - m_grid.step / 2, end = begin + count * m_grid.step;
        begin = begin + 0.5 < m_grid.step ? -0.5 : begin;
        end = last - end < m_grid.step ? last : end;
        return std::pair(begin, end);
    };
    const auto [left, right] = span(m_grid.x0, m_grid.width);
    const auto [top, bottom] = span(m_grid.y0, m_grid.height);
    return {QPointF(left, top), QPointF(right, bottom)};
}

bool Pixels::sameValues(const Pixels& other) const
{
    return m_volume == other.m_volume && m_subtracted == other.m_subtracted && m_index == other.m_index &&
           m_subtractedIndex == other.m_subtractedIndex && m_grid == other.m_grid;
}

} // namespace ui
