// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_view.h"

#include "ui/background/application.h"
#include "ui/views/plate.h"
#include "ui/widgets/saved_painter.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <utility>

namespace ui
{

namespace
{

constexpr double sceneExtent = 4e6; // far larger than any view, so that the scroll bars can reach every place

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
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // drawImages() paints every pixel
    viewport()->setCursor(Qt::CrossCursor);
    viewport()->grabGesture(Qt::PinchGesture);
    connect(&m_tool, &DrawingTool::shapeDrawn, this, &ImageView::shapeDrawn);
    connect(&m_tool, &DrawingTool::shapeChanged, this, &ImageView::shapeChanged);
    connect(&m_tool, &DrawingTool::ended, this, &ImageView::drawingEnded);
    connect(&m_tool, &DrawingTool::changed, this, [this] { viewport()->update(); });
}

void ImageView::setSliceSize(int size)
{
    setExtent({size, size}, false);
}

void ImageView::setImageSize(const QSize& size, bool filling)
{
    setExtent(size, filling);
}

void ImageView::setExtent(const QSize& extent, bool filling)
{
    m_placement.setExtent(extent, filling);
    stretch();
    forgetSeen();
}

void ImageView::stretch()
{
    if (m_placement.stretch(viewport()->size()))
        placeViewpoint();
}

void ImageView::setGuides(const std::vector<Guide>& guides)
{
    if (m_overlay.guides.empty() && guides.empty())
        return;
    m_overlay.guides = guides;
    viewport()->update();
}

void ImageView::setComposition(Composition* next)
{
    if (composition() == next)
        return;
    if (composition())
        disconnect(composition(), nullptr, this, nullptr);
    m_layers.setComposition(next);
    if (next)
        connect(next, &Composition::changed, this, [this] { viewport()->update(); });
    viewport()->update();
}

void ImageView::setPixels(const Pixels& a, const Pixels& b)
{
    if (m_layers.setPixels(a, b))
        viewport()->update();
}

void ImageView::setColouring(const Colouring& a, const Colouring& b)
{
    if (m_layers.setColouring(a, b))
        viewport()->update();
}

void ImageView::setDimmed(bool dimmed)
{
    if (std::exchange(m_dimmed, dimmed) != dimmed)
        viewport()->update();
}

void ImageView::setMessage(const QString& message)
{
    if (m_labels.setMessage(message))
        viewport()->update();
}

void ImageView::setCaption(const QString& caption)
{
    if (m_labels.setCaption(caption))
        viewport()->update();
}

void ImageView::setScale(bool shown, const std::optional<double>& pixelSizeMm)
{
    m_labels.setScale(shown, pixelSizeMm);
    viewport()->update();
}

void ImageView::setViewpoint(const Viewpoint& viewpoint)
{
    if (m_placement.setViewpoint(viewpoint))
        placeViewpoint();
}

void ImageView::setMarker(const std::optional<QPointF>& position)
{
    if (m_overlay.marker == position)
        return;
    m_overlay.marker = position;
    viewport()->update();
}

void ImageView::setOverlay(const Overlay& overlay)
{
    m_overlay = overlay;
    viewport()->update();
}

void ImageView::setTool(Tool tool)
{
    if (!m_tool.choose(tool))
        return;
    if (m_drag == Drag::draw)
        m_drag = Drag::none;
    viewport()->setCursor(tool == Tool::axis ? Qt::SizeHorCursor : Qt::CrossCursor);
    viewport()->update();
}

QString ImageView::said() const
{
    return composition() ? composition()->said() : QString();
}

QString ImageView::remark() const
{
    return m_dimmed ? QString() : m_layers.remark(visiblePart());
}

QImage ImageView::rendered() const
{
    return m_layers.rendered();
}

double ImageView::fittingScale() const
{
    return m_placement.fittingScale(viewport()->size());
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
    if (m_placement.isEmpty())
        return;
    const QPointF middle(viewport()->width() / 2.0, viewport()->height() / 2.0);
    const Viewpoint next = m_placement.zoomed(factor, viewportPosition - middle, viewport()->size());
    if (next.scale != m_placement.viewpoint().scale)
        emit viewpointRequested(next);
}

void ImageView::zoomBy(double factor)
{
    zoomBy(factor, QPointF(viewport()->width() / 2.0, viewport()->height() / 2.0));
}

void ImageView::panBy(const QPointF& viewportOffset)
{
    emit viewpointRequested(m_placement.panned(viewportOffset));
}

void ImageView::placeViewpoint()
{
    const QPointF centre = m_placement.centre();
    setTransform(m_placement.toView());
    horizontalScrollBar()->setValue(qRound(centre.x() - viewport()->width() / 2.0));
    verticalScrollBar()->setValue(qRound(centre.y() - viewport()->height() / 2.0));
    forgetSeen();
}

void ImageView::forgetSeen()
{
    m_layers.forgetSeen();
    viewport()->update();
}

QColor ImageView::surroundOf(const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Window);
    return shaded(base, base.lightness() < 128);
}

void ImageView::drawBackground(QPainter* painter, const QRectF&)
{
    guarded([this, painter] { drawImages(*painter); })();
}

void ImageView::drawImages(QPainter& painter)
{
    const SavedPainter saved(painter);
    painter.resetTransform();
    const QColor surround = surroundOf(palette());
    QRegion around = viewport()->rect();
    if (!m_dimmed && !composition() && pixels()) // the image itself covers the rest
        around -= viewportTransform().mapRect(pixels().area()).toAlignedRect().adjusted(2, 2, -2, -2);
    for (const QRect& part : around)
        painter.fillRect(part, surround);
    painter.setOpacity(m_dimmed ? 0.3 : 1);
    if (!m_placement.isEmpty())
        m_layers.paint(painter, stage());
}

Canvas ImageView::stage() const
{
    Canvas stage;
    stage.room = viewport()->rect();
    stage.toScreen = viewportTransform();
    stage.palette = palette();
    stage.ratio = viewport()->devicePixelRatioF();
    return stage;
}

QRectF ImageView::visiblePart() const
{
    return viewportTransform().inverted().mapRect(QRectF(viewport()->rect()));
}

void ImageView::drawForeground(QPainter* painter, const QRectF&)
{
    guarded([this, painter] { drawOver(*painter); })();
}

void ImageView::drawOver(QPainter& painter)
{
    const SavedPainter saved(painter);
    painter.resetTransform();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isShown = pixels() && !m_placement.isEmpty();
    if (isShown)
        drawMarksOver(painter);
    if (composition() && !m_placement.isEmpty())
        composition()->decorate(painter, stage());
    painter.setFont(font());
    const QRectF room = viewport()->rect(), inside = room.adjusted(8, 8, -8, -8);
    drawPlate(painter, inside, Qt::AlignHCenter | (composition() ? Qt::AlignBottom : Qt::AlignTop),
              m_tool.isChosen() ? m_tool.text() : remark(), palette());
    if (isShown)
        m_labels.drawScale(painter, inside, m_placement.viewpoint().scale, palette());
    if (pixels() && !m_dimmed)
        m_labels.drawCaption(painter, inside, palette());
    painter.setFont(font());
    m_labels.drawMessage(painter, room.adjusted(12, 12, -12, -12), palette(), static_cast<bool>(pixels()));
    if (m_focusShown) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(room.adjusted(1, 1, -1, -1));
    }
}

void ImageView::drawMarksOver(QPainter& painter) const
{
    m_layers.drawValues(painter, stage());
    painter.setFont(font());
    drawGuides(painter, m_overlay.guides, viewportTransform());
    drawMarks(painter, m_overlay, viewportTransform(), m_placement.size(), m_grip);
    if (const std::vector<QPointF>& polygon = m_tool.polygon(); !polygon.empty()) {
        QPolygonF points(viewportTransform().map(QPolygonF(QList<QPointF>(polygon.begin(), polygon.end()))));
        drawDraft(painter, points << m_previous);
    }
    if (m_overlay.marker && !viewport()->underMouse())
        drawMarker(painter, toViewport(*m_overlay.marker));
}

void ImageView::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event);
    stretch();
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
