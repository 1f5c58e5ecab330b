// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/layer.h"

#include "ui/image/parallel_rows.h"

#include <cmath>

namespace ui
{

namespace
{

constexpr QSize tileSize(512,
                         32); // device pixels; wide, because images are read row by row; low, to stay in a core's cache

} // namespace

bool Layer::setPixels(const Pixels& pixels)
{
    if (m_pixels.sameValues(pixels))
        return false;
    m_pixels = pixels;
    forgetTiles();
    return true;
}

bool Layer::setColouring(const Colouring& colouring)
{
    if (m_colouring == colouring)
        return false;
    m_colouring = colouring;
    forgetColours();
    return true;
}

bool Layer::setTint(const std::optional<QColor>& tint)
{
    if (m_tint == tint)
        return false;
    m_tint = tint;
    forgetColours();
    return true;
}

void Layer::forgetTiles()
{
    m_spare.clear();
    for (auto& [place, tile] : m_tiles)
        m_spare.push_back(std::move(tile));
    m_tiles.clear();
}

Layer::Tile& Layer::tileAt(const Place& place)
{
    const auto [entry, added] = m_tiles.try_emplace(place);
    if (added && !m_spare.empty()) {
        entry->second = std::move(m_spare.back());
        entry->second.frameValid = entry->second.imageValid = false;
        m_spare.pop_back();
    }
    return entry->second;
}

void Layer::forgetColours()
{
    for (auto& [place, tile] : m_tiles)
        tile.imageValid = false;
}

void Layer::fill(const std::vector<std::pair<Place, Tile*>>& tiles) const
{
    const ColourTable colours = m_tint ? shadesOf(*m_tint) : m_colouring.colours;
    const int count = static_cast<int>(tiles.size());
    std::map<int, ColumnTaps> columns;
    const auto cornerOf = [](const Place& place) {
        return QPointF(place.first * tileSize.width(), place.second * tileSize.height());
    };
    for (const auto& [place, tile] : tiles)
        if (!tile->frameValid && !columns.contains(place.first))
            columns.emplace(place.first,
                            ColumnTaps(m_pixels, m_scale.x(), m_phase.x() - cornerOf(place).x(), tileSize.width()));
    inParallel(count, static_cast<double>(count) * tileSize.width() * tileSize.height(), [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const auto& [place, tile] = tiles[static_cast<std::size_t>(k)];
            if (!tile->frameValid)
                tile->frame = resample(m_pixels, columns.at(place.first), m_scale.y(),
                                       m_phase.y() - cornerOf(place).y(), tileSize.height(), std::move(tile->frame));
            tile->image = shade(tile->frame, m_colouring.window, colours, std::move(tile->image));
            tile->frameValid = tile->imageValid = true;
        }
    });
}

Canvas::Layer Layer::onScreen(const QTransform& toScreen, QSizeF screen, double ratio)
{
    constexpr double samePhase = 1e-6; // in device pixels: rounding error of sums of coordinates
    constexpr std::size_t keep = 3;    // cached tiles per visible tile, so that panning back finds them
    const QPointF scale = QPointF(toScreen.m11(), toScreen.m22()) * ratio;
    const QPointF offset = QPointF(toScreen.dx(), toScreen.dy()) * ratio;
    const QPoint whole(static_cast<int>(std::floor(offset.x() + samePhase)),
                       static_cast<int>(std::floor(offset.y() + samePhase)));
    const QPointF phase = offset - whole;
    if (scale != m_scale || (phase - m_phase).manhattanLength() > 2 * samePhase)
        forgetTiles();
    if (m_tiles.empty()) {
        m_scale = scale;
        m_phase = phase;
    }
    const QRect seen(-whole, (screen * ratio).toSize());
    // Only tiles that the image reaches: empty ones would be computed again at every step.
    const QRectF area = m_pixels.area();
    const QTransform toDevice(scale.x(), 0, 0, scale.y(), phase.x(), phase.y());
    const QRect lies = toDevice.mapRect(area).toAlignedRect() & seen;
    if (lies.isEmpty())
        return {};
    const auto span = [](int first, int last, int size) {
        return std::pair(static_cast<int>(std::floor(double(first) / size)),
                         static_cast<int>(std::floor(double(last) / size)));
    };
    const auto [left, right] = span(lies.left(), lies.right(), tileSize.width());
    const auto [top, bottom] = span(lies.top(), lies.bottom(), tileSize.height());
    const std::size_t wanted = std::size_t(right - left + 1) * std::size_t(bottom - top + 1);
    if (m_tiles.size() > keep * wanted)
        std::erase_if(m_tiles, [&, l = left, r = right, t = top, b = bottom](const auto& entry) {
            const auto& [column, row] = entry.first;
            return column < l || column > r || row < t || row > b;
        });
    std::vector<std::pair<Place, Tile*>> missing, shown;
    for (int row = top; row <= bottom; ++row)
        for (int column = left; column <= right; ++column) {
            Tile& tile = tileAt({column, row});
            shown.emplace_back(Place{column, row}, &tile);
            if (!tile.frameValid || !tile.imageValid)
                missing.push_back(shown.back());
        }
    fill(missing);
    m_spare.clear();
    Canvas::Layer layer;
    for (const auto& [place, tile] : shown) {
        if (tile->image.isNull())
            continue;
        tile->image.setDevicePixelRatio(ratio);
        const QPoint corner(place.first * tileSize.width(), place.second * tileSize.height());
        layer.pieces.push_back({tile->image, QPointF(whole + corner + tile->frame.origin) / ratio});
    }
    return layer;
}

} // namespace ui
