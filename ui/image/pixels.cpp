// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/pixels.h"

#include "ui/background/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace ui
{

namespace
{

template <typename Of>
void combine(const float* a, const float* b, int count, float* out, Of of)
{
    for (int k = 0; k < count; ++k)
        out[k] = of(a[k], b[k]);
}

void subtract(const float* a, const float* b, int count, float* out, DifferenceKind kind, float percent)
{
    switch (kind) {
    case DifferenceKind::plain:
        return combine(a, b, count, out, [](float x, float y) { return x - y; });
    case DifferenceKind::absolute:
        return combine(a, b, count, out, [](float x, float y) { return std::abs(x - y); });
    case DifferenceKind::ofRange:
        return combine(a, b, count, out, [percent](float x, float y) { return (x - y) * percent; });
    case DifferenceKind::ofB:
        return combine(a, b, count, out, [](float x, float y) { return x == y ? 0.0f : 100 * (x - y) / std::abs(y); });
    }
}

bool sameRow(const float* a, const float* b, std::size_t count)
{
    if (std::memcmp(a, b, count * sizeof(float)) == 0)
        return true;
    for (std::size_t k = 0; k < count; ++k) // −0 equals 0, and any NaN equals any other
        if (!(a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k]))))
            return false;
    return true;
}

} // namespace

Pixels::Pixels(const GridSlice& plane)
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

Pixels Pixels::difference(const Pixels& a, const Pixels& b, DifferenceKind kind, double rangeOfB)
{
    if (!a || !b || a.m_grid != b.m_grid)
        return {};
    Pixels result = a;
    result.m_subtracted = b.m_volume;
    result.m_subtractedIndex = b.m_index;
    result.m_kind = kind;
    if (kind == DifferenceKind::ofRange)
        result.m_percent = static_cast<float>(100 / rangeOfB);
    return result;
}

const float* Pixels::part(int row, int begin, int count, std::vector<float>& buffer) const
{
    const std::size_t offset = static_cast<std::size_t>(row) * m_grid.width + static_cast<std::size_t>(begin);
    const float* values = m_volume->slice(m_index).data() + offset;
    if (!m_subtracted)
        return values;
    const float* other = m_subtracted->slice(m_subtractedIndex).data() + offset;
    buffer.resize(static_cast<std::size_t>(count));
    subtract(values, other, count, buffer.data(), m_kind, m_percent);
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
    if (!m_subtracted)
        return value;
    float difference = 0;
    subtract(&value, &m_subtracted->slice(m_subtractedIndex)[index], 1, &difference, m_kind, m_percent);
    return difference;
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
           m_subtractedIndex == other.m_subtractedIndex && m_grid == other.m_grid && m_kind == other.m_kind &&
           m_percent == other.m_percent;
}

bool Pixels::isZero(const QRectF& part) const
{
    if (!m_subtracted)
        return false;
    const auto span = [this](double begin, double end, double first, int count) {
        const int from = static_cast<int>(std::floor((begin - first) / m_grid.step + 0.5));
        const int to = static_cast<int>(std::ceil((end - first) / m_grid.step + 0.5));
        return std::pair(std::clamp(from, 0, count), std::clamp(to, 0, count));
    };
    const auto [left, right] = span(part.left(), part.right(), m_grid.x0, m_grid.width);
    const auto [top, bottom] = span(part.top(), part.bottom(), m_grid.y0, m_grid.height);
    if (left >= right || top >= bottom)
        return false; // the part holds no pixel
    if (m_volume == m_subtracted && m_index == m_subtractedIndex)
        return true;
    for (int row = top; row < bottom; ++row) {
        const std::size_t offset = static_cast<std::size_t>(row) * m_grid.width + left;
        if (!sameRow(m_volume->slice(m_index).data() + offset, m_subtracted->slice(m_subtractedIndex).data() + offset,
                     static_cast<std::size_t>(right - left)))
            return false;
    }
    return true;
}

} // namespace ui
