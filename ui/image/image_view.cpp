#include "ui/image/image_view.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double fitMargin = 6;      // device-independent pixels around a fitted slice
constexpr double largestPixel = 128; // device-independent pixels
constexpr double smallestSlice = 24; // the whole slice is never smaller than this on screen
constexpr double sceneExtent = 4e6;  // far larger than any view, so that the scroll bars can reach every place
constexpr double keepVisible = 0.5;  // pixels of the slice that the middle of the view may leave it by

QColor shaded(const QColor& colour, bool dark)
{
    return dark ? colour.darker(130) : colour.darker(107);
}

} // namespace

ImageView::ImageView(QWidget* parent) : QGraphicsView(parent)
{
    setScene(new QGraphicsScene(this));
    scene()->setItemIndexMethod(QGraphicsScene::NoIndex);
    setSceneRect(-sceneExtent, -sceneExtent, 2 * sceneExtent, 2 * sceneExtent);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTransformationAnchor(QGraphicsView::NoAnchor);
    setResizeAnchor(QGraphicsView::NoAnchor);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(64, 64);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::CrossCursor);
    viewport()->grabGesture(Qt::PinchGesture);
}

void ImageView::setSliceSize(int size)
{
    m_size = size;
    forgetFrame();
}

void ImageView::setPixels(const Pixels& pixels)
{
    if (m_pixels.sameValues(pixels))
        return;
    m_pixels = pixels;
    forgetFrame();
}

void ImageView::setColouring(const GreyWindow& window, const ColourTable& colours)
{
    if (window == m_window && colours == m_colours)
        return;
    m_window = window;
    m_colours = colours;
    m_imageValid = false;
    viewport()->update();
}

void ImageView::setDimmed(bool dimmed)
{
    if (std::exchange(m_dimmed, dimmed) != dimmed)
        viewport()->update();
}

void ImageView::setMessage(const QString& message)
{
    if (m_message == message)
        return;
    m_message = message;
    viewport()->update();
}

void ImageView::setViewpoint(const Viewpoint& viewpoint)
{
    if (viewpoint == m_viewpoint)
        return;
    m_viewpoint = viewpoint;
    placeViewpoint();
}

void ImageView::setOverlay(const Overlay& overlay)
{
    m_overlay = overlay;
    viewport()->update();
}

QImage ImageView::rendered() const
{
    return shade(m_pixels, m_window, m_colours);
}

double ImageView::fittingScale() const
{
    const double room = std::min(viewport()->width(), viewport()->height()) - 2 * fitMargin;
    return m_size > 0 ? std::max(room, 1.0) / m_size : 1;
}

double ImageView::devicePixel() const
{
    return 1 / viewport()->devicePixelRatioF();
}

QPointF ImageView::toSlice(const QPointF& viewportPosition) const
{
    return viewportTransform().inverted().map(viewportPosition);
}

QPointF ImageView::toViewport(const QPointF& slicePosition) const
{
    return viewportTransform().map(slicePosition);
}

void ImageView::zoomBy(double factor, const QPointF& viewportPosition)
{
    if (m_size <= 0)
        return;
    const QPointF middle(viewport()->width() / 2.0, viewport()->height() / 2.0);
    const QPointF offset = viewportPosition - middle;
    Viewpoint next = m_viewpoint;
    const double smallest = std::min(smallestSlice / m_size, fittingScale());
    next.scale = std::clamp(m_viewpoint.scale * factor, smallest, largestPixel);
    next.centre = m_viewpoint.centre + offset / m_viewpoint.scale - offset / next.scale;
    next.fitted = false;
    if (next.scale != m_viewpoint.scale)
        emit viewpointRequested(next);
}

void ImageView::zoomBy(double factor)
{
    zoomBy(factor, QPointF(viewport()->width() / 2.0, viewport()->height() / 2.0));
}

void ImageView::panBy(const QPointF& viewportOffset)
{
    Viewpoint next = m_viewpoint;
    const QPointF centre = m_viewpoint.centre - viewportOffset / m_viewpoint.scale;
    const double last = m_size - 1 + keepVisible;
    next.centre = QPointF(std::clamp(centre.x(), -keepVisible, last), std::clamp(centre.y(), -keepVisible, last));
    next.fitted = false;
    emit viewpointRequested(next);
}

// Half a pixel is added before scaling: the edges of pixels then fall on whole device pixels at
// whole magnifications, because the scroll bars move by whole ones.
void ImageView::placeViewpoint()
{
    const double scale = m_viewpoint.scale;
    setTransform(QTransform(scale, 0, 0, scale, scale / 2, scale / 2));
    const QPointF centre = (m_viewpoint.centre + QPointF(0.5, 0.5)) * scale;
    horizontalScrollBar()->setValue(qRound(centre.x() - viewport()->width() / 2.0));
    verticalScrollBar()->setValue(qRound(centre.y() - viewport()->height() / 2.0));
    forgetFrame();
}

void ImageView::forgetFrame()
{
    m_frameValid = m_imageValid = false;
    viewport()->update();
}

void ImageView::drawBackground(QPainter* painter, const QRectF&)
{
    painter->save();
    painter->resetTransform();
    const QColor base = palette().color(QPalette::Window);
    const QColor surround = shaded(base, base.lightness() < 128);
    painter->fillRect(viewport()->rect(), surround);
    if (m_pixels && m_size > 0) {
        const double ratio = viewport()->devicePixelRatioF();
        if (!m_frameValid) {
            const QTransform view = viewportTransform();
            m_frame = resample(m_pixels, view.m11() * ratio, QPointF(view.dx(), view.dy()) * ratio,
                               (QSizeF(viewport()->size()) * ratio).toSize());
        }
        if (!m_imageValid)
            m_image = shade(m_frame, m_window, m_colours);
        m_frameValid = m_imageValid = true;
        if (!m_image.isNull()) {
            m_image.setDevicePixelRatio(ratio);
            painter->setOpacity(m_dimmed ? 0.3 : 1);
            painter->drawImage(QPointF(m_frame.origin) / ratio, m_image);
        }
    }
    painter->restore();
}

void ImageView::drawForeground(QPainter* painter, const QRectF&)
{
    painter->save();
    painter->resetTransform();
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_pixels && m_size > 0) {
        if (m_overlay.region) {
            const QRectF rectangle = outline(*m_overlay.region);
            drawRegion(*painter, QRectF(toViewport(rectangle.topLeft()), toViewport(rectangle.bottomRight())));
        }
        if (m_overlay.lineVisible) {
            const engine::Line& line = m_overlay.line;
            drawLine(*painter, toViewport({line.x0, line.y0}), toViewport({line.x1, line.y1}), m_part);
        }
        if (m_overlay.marker && !viewport()->underMouse())
            drawMarker(*painter, toViewport(*m_overlay.marker));
    }
    drawMessage(*painter);
    if (m_focusShown) {
        painter->setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

void ImageView::drawMessage(QPainter& painter) const
{
    if (m_message.isEmpty())
        return;
    QColor colour = palette().color(QPalette::WindowText);
    colour.setAlphaF(0.72f);
    painter.setPen(colour);
    painter.setFont(font());
    const QRectF room = QRectF(viewport()->rect()).adjusted(12, 12, -12, -12);
    constexpr int flags = Qt::AlignCenter | Qt::TextWordWrap;
    if (m_pixels) { // legible over what is kept of the last image
        const QRectF text = painter.boundingRect(room, flags, m_message).adjusted(-10, -5, 10, 5);
        painter.save();
        QColor plate = palette().color(QPalette::Window);
        plate.setAlphaF(0.85f);
        painter.setPen(Qt::NoPen);
        painter.setBrush(plate);
        painter.drawRoundedRect(text, 6, 6);
        painter.restore();
    }
    painter.drawText(room, flags, m_message);
}

void ImageView::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event);
    emit resized();
    placeViewpoint();
}

void ImageView::changeEvent(QEvent* event)
{
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
}

} // namespace ui
