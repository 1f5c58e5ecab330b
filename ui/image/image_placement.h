// SPDX-License-Identifier: GPL-3.0-or-later
// Where an image lies in a view: its extent, how far it is stretched, and the viewpoint.
#pragma once

#include <QPointF>
#include <QSize>
#include <QTransform>

namespace ui
{

// What part of the slice is seen: the same in all linked views.
struct Viewpoint {
    QPointF centre;   // pixel of the slice in the middle of the view
    double scale = 1; // device-independent pixels per pixel of the slice
    bool fitted = true;
    bool operator==(const Viewpoint&) const = default;
};

// `room` is the size of the view, in device-independent pixels.
class ImagePlacement
{
  public:
    bool isEmpty() const { return m_size <= 0; }
    int size() const { return m_size; } // of a slice; the longer side of another image
    const Viewpoint& viewpoint() const { return m_viewpoint; }
    QPointF scale() const { return {m_viewpoint.scale, m_viewpoint.scale * m_stretch}; } // of each axis
    QTransform toView() const;                                                           // but for the scroll bars
    QPointF centre() const;                                                              // of the view, likewise
    double fittingScale(const QSize& room) const;

    // Filling: the pixels are stretched so that the whole image fills the view.
    void setExtent(const QSize& extent, bool filling);
    bool stretch(const QSize& room);               // true: in another way than before
    bool setViewpoint(const Viewpoint& viewpoint); // true: it is another one

    // offset: from the middle of the view, of the place that stays where it is.
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
