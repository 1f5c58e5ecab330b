// SPDX-License-Identifier: GPL-3.0-or-later
// The grey window and the range of the differences, which the three planes share.
#pragma once

#include "ui/image/difference_range.h"
#include "ui/image/pixels.h"
#include "ui/planes/linked_planes.h"

#include <QPalette>

#include <array>

namespace ui
{

class PlaneCell;

class PlaneColours
{
  public:
    using Cells = std::array<PlaneCell*, LinkedPlanes::count>;

    void beginScan();
    void setColourMap(const QString& name);
    // New images have come: the first ones, and the first full ones after coarse ones, choose the grey window.
    void follow(const Cells& cells, bool isPreview);
    void followDifferences(const Cells& cells); // new differences: their range is automatic until it is dragged
    void setAutomatic(const Cells& cells);      // what is shown: the grey window or the range
    void drag(const QPointF& share, bool isOfDifference);
    void show(const Cells& cells, const QPalette& palette) const;
    const GreyWindow& greyWindow() const { return m_window; }
    int colourMap() const { return m_colourMap; } // in colourMaps()
    Colouring ofDifferences(bool isDark) const { return m_range.colouring(isDark); }
    QString rangeText(const QString& unit) const { return m_range.text(unit); }

  private:
    void chooseWindow(const Cells& cells);
    void measureRange(const Cells& cells);

    GreyWindow m_window;
    bool m_hasWindow = false, m_isPreviewWindow = false;
    DifferenceRange m_range;
    int m_colourMap = 0;
};

} // namespace ui
