// SPDX-License-Identifier: GPL-3.0-or-later
// The image of one plane with its header and its cross-hairs.
#pragma once

#include "ui/background/comparison.h"
#include "ui/image/image_header.h"
#include "ui/image/image_view.h"
#include "ui/planes/cross_hairs.h"

#include <QWidget>

namespace ui
{

class PlaneCell : public QWidget
{
    Q_OBJECT
  public:
    PlaneCell(const QString& name, const QString& accessible, QWidget* parent = nullptr);

    ImageHeader& header() { return *m_header; }
    ImageView& view() const { return *m_view; }
    CrossHairs& crossHairs() const { return *m_cross; }
    const Image& image() const { return m_image; }
    const Pixels& pixels() const { return m_pixels; }

    // Shows the image of the plane in its request, which may be coarse.
    void showImage(const Image& image);
    void clear(const QString& message); // removes the image
    void fit();
    QImage rendered() const { return m_view->rendered(); }

  private:
    void setViewpoint(const Viewpoint& viewpoint);

    ImageHeader* m_header;
    ImageView* m_view;
    CrossHairs* m_cross;
    Image m_image;
    Pixels m_pixels;
    QSize m_size; // of the full image
    Viewpoint m_viewpoint;
};

// Returns the values of a plane's image, placed in pixels of the full image.
Plane placedPlane(const Image& image);

} // namespace ui
