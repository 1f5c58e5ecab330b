// SPDX-License-Identifier: GPL-3.0-or-later
// Where an image lies in a view: its extent, how far it is stretched, and the viewpoint.
#pragma once

#include <QPointF>
#include <QSize>
#include <QTransform>

namespace ui
{

// Visible part of the slice, the same in all linked views.
struct Viewpoint {
    QPointF centre;   // pixel of the slice in the middle of the view
    double scale = 1; // device-independent pixels per pixel of the slice
    bool fitted = true;
    bool operator==(const Viewpoint&) const = default;
};

// Placement of an image in a view. `room`: size of the view, in device-independent pixels.
class ImagePlacement
{
  public:
    bool isEmpty() const { return m_size <= 0; }
    int size() const { return m_size; } // side of a slice; longer side of another image
    const Viewpoint& viewpoint() const { return m_viewpoint; }
    QPointF scale() const { return {m_viewpoint.scale, m_viewpoint.scale * m_stretch}; } // along each axis
    // Maps pixels of the slice to the view, without the offset of the scroll bars.
    QTransform toView() const;
    // Returns the centre of the view, also without that offset.
    QPointF centre() const;
    double fittingScale(const QSize& room) const;

    // filling: the pixels are stretched so that the whole image fills the view.
    void setExtent(const QSize& extent, bool filling);
    bool stretch(const QSize& room);               // returns true if the stretch changed
    bool setViewpoint(const Viewpoint& viewpoint); // returns true if it changed

    // offset: of the fixed point, from the middle of the view.
    Viewpoint zoomed(double factor, const QPointF& offset, const QSize& room) const;
    Viewpoint panned(const QPointF& offset) const;

  private:
    int m_size = 0;
    QSize m_extent;
    bool m_filling = false;
    double m_stretch = 1; // height of a pixel over its width
    Viewpoint m_viewpoint;
};

} // namespace ui
