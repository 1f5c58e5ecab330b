// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/plane_cell.h"

#include <QVBoxLayout>

#include <algorithm>

namespace ui
{

Plane placedPlane(const Image& image)
{
    Plane placed;
    if (!image || !image->request.place.plane)
        return placed;
    const engine::Plane& plane = *image->request.place.plane;
    const engine::Volume& values = image->image;
    const int step = std::max(1, image->request.place.previewStep);
    // A coarse image has the same centre, and larger pixels.
    const auto first = [step](int full, int coarse) { return (full - 1) / 2.0 - step * (coarse - 1) / 2.0; };
    placed.volume = {image, &values};
    placed.grid = {std::max(plane.width, plane.height),
                   first(plane.width, values.width),
                   first(plane.height, values.height),
                   values.width,
                   values.height,
                   static_cast<double>(step)};
    placed.unit = QString::fromStdString(image->unit);
    return placed;
}

PlaneCell::PlaneCell(const QString& name, const QString& accessible, QWidget* parent)
    : QWidget(parent), m_header(new ImageHeader(this)), m_view(new ImageView(this)), m_cross(new CrossHairs(this))
{
    m_header->setObjectName(name + QStringLiteral("Header"));
    m_view->setObjectName(name);
    m_view->setAccessibleName(accessible);
    m_view->setAccessibleDescription(m_cross->keys());
    m_view->setAcceptDrops(false); // the window handles dropped files
    m_view->viewport()->setAcceptDrops(false);
    m_view->setComposition(m_cross);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_header);
    column->addWidget(m_view, 1);
    connect(m_view, &ImageView::viewpointRequested, this, &PlaneCell::setViewpoint);
    connect(m_view, &ImageView::fitRequested, this, &PlaneCell::fit);
    connect(m_view, &ImageView::resized, this, [this] {
        if (m_viewpoint.fitted)
            fit();
    });
}

void PlaneCell::showImage(const Image& image)
{
    m_image = image;
    m_pixels = Pixels(placedPlane(image));
    const engine::Plane& plane = *image->request.place.plane;
    const QSize size(plane.width, plane.height);
    m_view->setPixels(m_pixels);
    m_view->setDimmed(false);
    m_view->setMessage({});
    if (m_size == size)
        return;
    m_size = size;
    constexpr int lowest = 6; // an image with over 6 times as many columns as rows would look like a line
    const bool isFilling = size.width() > lowest * size.height();
    m_view->setImageSize(size, isFilling);
    m_cross->setImageSize(size);
    m_view->setScale(!isFilling, image->request.scan->pixelSizeMm());
    if (m_viewpoint.fitted)
        fit();
}

void PlaneCell::clear(const QString& message)
{
    m_image.reset();
    m_pixels = {};
    m_size = {};
    m_view->setPixels({});
    m_view->setImageSize({});
    m_view->setDimmed(false);
    m_view->setMessage(message);
    m_cross->setImageSize({});
    m_viewpoint.fitted = true;
}

void PlaneCell::setViewpoint(const Viewpoint& viewpoint)
{
    m_viewpoint = viewpoint;
    m_view->setViewpoint(viewpoint);
}

void PlaneCell::fit()
{
    if (m_size.isEmpty())
        return;
    const QPointF middle((m_size.width() - 1) / 2.0, (m_size.height() - 1) / 2.0);
    setViewpoint({middle, m_view->fittingScale(), true});
}

} // namespace ui
