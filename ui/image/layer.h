// SPDX-License-Identifier: GPL-3.0-or-later
// An image on the screen, as cached tiles: values are resampled when the magnification changes or new parts come into
// view; colours follow the grey window.
#pragma once

#include "ui/image/shading.h"
#include "ui/views/composition.h"

#include <map>
#include <utility>

namespace ui
{

class Layer
{
  public:
    // Return true if something changed.
    bool setPixels(const Pixels& pixels);
    bool setColouring(const Colouring& colouring);
    // Replaces the colour map by shades from black to that colour.
    bool setTint(const std::optional<QColor>& tint);

    const Pixels& pixels() const { return m_pixels; }
    const Colouring& colouring() const { return m_colouring; }
    // toScreen: maps pixels of the slice to device-independent pixels of a screen of that size. ratio: device pixels
    // per device-independent pixel.
    Canvas::Layer onScreen(const QTransform& toScreen, QSizeF screen, double ratio);

  private:
    struct Tile {
        Frame frame; // empty: the image doesn't reach this tile
        QImage image;
        bool frameValid = false, imageValid = false;
    };
    using Place = std::pair<int, int>; // column and row of a tile

    void forgetTiles();
    void forgetColours();
    Tile& tileAt(const Place& place);
    void fill(const std::vector<std::pair<Place, Tile*>>& tiles) const;

    Pixels m_pixels;
    Colouring m_colouring;
    std::optional<QColor> m_tint;

    // The tiles lie on a grid of device pixels that moves with the slice. Its origin is a whole number of pixels away
    // from that of the screen.
    QPointF m_scale; // along each axis
    QPointF m_phase; // position of the slice's origin in the grid
    std::map<Place, Tile> m_tiles;
    std::vector<Tile> m_spare; // memory of discarded tiles: allocating it would take most of the time of a zoom
};

} // namespace ui
