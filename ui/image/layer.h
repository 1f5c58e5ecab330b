// SPDX-License-Identifier: GPL-3.0-or-later
// An image as it lies on a screen, in tiles that are kept: values are resampled when the magnification changes or new
// parts come into view, colours follow the grey window.
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
    // True where something changed.
    bool setPixels(const Pixels& pixels);
    bool setColouring(const Colouring& colouring);
    // Instead of its colour map: from black to that colour.
    bool setTint(const std::optional<QColor>& tint);

    const Pixels& pixels() const { return m_pixels; }
    const Colouring& colouring() const { return m_colouring; }
    // `toScreen`: from pixels of the slice to device-independent ones of a screen of that size.
    Stage::Layer onScreen(const QTransform& toScreen, QSizeF screen, double ratio);

  private:
    struct Tile {
        Frame frame; // empty: nothing of the image lies there
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

    // Tiles lie in device pixels that move along with the slice; these begin where the screen does, less whole ones.
    QPointF m_scale; // of each axis
    QPointF m_phase; // of the slice's origin in them
    std::map<Place, Tile> m_tiles;
    std::vector<Tile> m_spare; // memory of those before: most of a zoom would be spent on asking for it
};

} // namespace ui
