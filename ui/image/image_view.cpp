#include "ui/image/image_view.h"

#include "ui/background/application.h"
#include "ui/image/pixel_scale.h"
#include "ui/views/plate.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/saved_painter.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double fitMargin = 2;      // device-independent pixels around a fitted slice
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
    setExtent({size, size}, false);
}

void ImageView::setImageSize(const QSize& size, bool filling)
{
    setExtent(size, filling);
}

void ImageView::setExtent(const QSize& extent, bool filling)
{
    m_extent = extent;
    m_filling = filling;
    m_size = std::max(extent.width(), extent.height());
    stretch();
    forgetSeen();
}

void ImageView::stretch()
{
    const QSizeF room = QSizeF(viewport()->size()) - QSizeF(2 * fitMargin, 2 * fitMargin);
    const double before = m_stretch;
    const bool possible = m_filling && !m_extent.isEmpty() && room.width() >= 1 && room.height() >= 1;
    m_stretch = possible ? room.height() / m_extent.height() / (room.width() / m_extent.width()) : 1;
    if (m_stretch != before)
        placeViewpoint();
}

void ImageView::setGuides(const std::vector<Guide>& guides)
{
    if (m_overlay.guides.empty() && guides.empty())
        return;
    m_overlay.guides = guides;
    viewport()->update();
}

void ImageView::setComposition(Composition* composition)
{
    if (m_composition == composition)
        return;
    if (m_composition)
        disconnect(m_composition, nullptr, this, nullptr);
    m_composition = composition;
    if (composition)
        connect(composition, &Composition::changed, this, [this] { viewport()->update(); });
    m_a.setTint(composition ? composition->tintOfA() : std::nullopt);
    m_b.setTint(composition ? composition->tintOfB() : std::nullopt);
    viewport()->update();
}

void ImageView::setPixels(const Pixels& a, const Pixels& b)
{
    const bool changedA = m_a.setPixels(a), changedB = m_b.setPixels(b);
    if (!changedA && !changedB)
        return;
    m_difference = b ? Pixels::difference(a, b) : a;
    m_equal.reset();
    m_equalHere.reset();
    viewport()->update();
}

void ImageView::setColouring(const Colouring& a, const Colouring& b)
{
    const bool changedA = m_a.setColouring(a), changedB = m_b.setColouring(b);
    if (changedA || changedB)
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

void ImageView::setCaption(const QString& caption)
{
    if (m_caption == caption)
        return;
    m_caption = caption;
    viewport()->update();
}

void ImageView::setScale(bool shown, const std::optional<double>& pixelSizeMm)
{
    m_scaleShown = shown;
    m_pixelSizeMm = pixelSizeMm;
    viewport()->update();
}

void ImageView::setViewpoint(const Viewpoint& viewpoint)
{
    if (viewpoint == m_viewpoint)
        return;
    m_viewpoint = viewpoint;
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

QImage ImageView::rendered() const
{
    return shade(m_a.pixels(), m_a.colouring().window, m_a.colouring().colours);
}

double ImageView::fittingScale() const
{
    if (m_size <= 0)
        return 1;
    const double across = std::max(viewport()->width() - 2 * fitMargin, 1.0) / m_extent.width();
    const double down = std::max(viewport()->height() - 2 * fitMargin, 1.0) / (m_extent.height() * m_stretch);
    return std::min(across, down);
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
    const QPointF offset((viewportPosition - middle).x(), (viewportPosition - middle).y() / m_stretch);
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
    const QPointF moved(viewportOffset.x() / scale().x(), viewportOffset.y() / scale().y());
    const QPointF centre = m_viewpoint.centre - moved;
    next.centre = QPointF(std::clamp(centre.x(), -keepVisible, m_extent.width() - 1 + keepVisible),
                          std::clamp(centre.y(), -keepVisible, m_extent.height() - 1 + keepVisible));
    next.fitted = false;
    emit viewpointRequested(next);
}

// Half a pixel is added before scaling: the edges of pixels then fall on whole device pixels at
// whole magnifications, because the scroll bars move by whole ones.
void ImageView::placeViewpoint()
{
    const QPointF by = scale();
    setTransform(QTransform(by.x(), 0, 0, by.y(), by.x() / 2, by.y() / 2));
    const QPointF centre((m_viewpoint.centre.x() + 0.5) * by.x(), (m_viewpoint.centre.y() + 0.5) * by.y());
    horizontalScrollBar()->setValue(qRound(centre.x() - viewport()->width() / 2.0));
    verticalScrollBar()->setValue(qRound(centre.y() - viewport()->height() / 2.0));
    forgetSeen();
}

void ImageView::forgetSeen()
{
    m_equalHere.reset();
    viewport()->update();
}

void ImageView::drawBackground(QPainter* painter, const QRectF&)
{
    guarded([this, painter] { drawImages(*painter); })();
}

void ImageView::drawImages(QPainter& painter)
{
    const SavedPainter saved(painter);
    painter.resetTransform();
    const QColor base = palette().color(QPalette::Window);
    const QColor surround = shaded(base, base.lightness() < 128);
    painter.fillRect(viewport()->rect(), surround);
    painter.setOpacity(m_dimmed ? 0.3 : 1);
    if (m_size > 0 && m_composition)
        m_composition->paint(painter, stage());
    else if (m_size > 0 && pixels())
        stage().a.paint(painter);
}

Stage ImageView::placeOfStage() const
{
    Stage stage;
    stage.room = viewport()->rect();
    stage.toScreen = viewportTransform();
    stage.palette = palette();
    stage.ratio = viewport()->devicePixelRatioF();
    return stage;
}

Stage ImageView::stage()
{
    Stage stage = placeOfStage();
    if (m_a.pixels())
        stage.a = m_a.onScreen(stage.toScreen, stage.room.size(), stage.ratio);
    if (m_b.pixels())
        stage.b = m_b.onScreen(stage.toScreen, stage.room.size(), stage.ratio);
    return stage;
}

QRectF ImageView::visiblePart() const
{
    return viewportTransform().inverted().mapRect(QRectF(viewport()->rect()));
}

QString ImageView::remark() const
{
    if (m_dimmed || !m_difference)
        return {};
    if (!m_equal)
        m_equal = m_difference.isZero(m_difference.area());
    if (!m_equalHere)
        m_equalHere = *m_equal || m_difference.isZero(visiblePart());
    return *m_equal ? tr("identical") : *m_equalHere ? tr("identical here") : QString();
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
    if (pixels() && m_size > 0) {
        drawNear(painter);
        painter.setFont(font());
        drawGuides(painter, m_overlay.guides, viewportTransform());
        drawMarks(painter, m_overlay, viewportTransform(), m_size, m_grip);
        if (!m_polygon.empty()) {
            QPolygonF points(viewportTransform().map(QPolygonF(QList<QPointF>(m_polygon.begin(), m_polygon.end()))));
            drawDraft(painter, points << m_previous);
        }
        if (m_overlay.marker && !viewport()->underMouse())
            drawMarker(painter, toViewport(*m_overlay.marker));
    }
    if (m_size > 0 && m_composition)
        m_composition->decorate(painter, placeOfStage());
    painter.setFont(font());
    const QRectF inside = QRectF(viewport()->rect()).adjusted(8, 8, -8, -8);
    drawPlate(painter, inside, Qt::AlignHCenter | (m_composition ? Qt::AlignBottom : Qt::AlignTop),
              m_tool == Tool::none ? remark() : toolText(), palette());
    if (pixels() && m_size > 0 && m_scaleShown)
        drawScale(painter, inside, m_viewpoint.scale, m_pixelSizeMm, palette());
    if (pixels() && !m_dimmed)
        drawPlate(painter, inside, Qt::AlignLeft | Qt::AlignBottom, m_caption, palette());
    drawMessage(painter);
    if (m_focusShown) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1));
    }
}

// The pixels themselves, once they are large enough to hold their values.
void ImageView::drawNear(QPainter& painter) const
{
    if (std::min(scale().x(), scale().y()) < pixelsShownFrom)
        return;
    const Stage place = placeOfStage();
    const ValueForm form = valueForm(m_a.colouring().window);
    const auto valuesAt = [&](const QPointF& position) {
        const auto shown = m_composition ? m_composition->shownAt(toViewport(position), place) : Composition::Shown::a;
        QStringList values;
        for (const auto& [layer, other] :
             {std::pair(&m_a, Composition::Shown::b), std::pair(&m_b, Composition::Shown::a)})
            if (const std::optional<float> value = shown == other ? std::nullopt : layer->pixels().at(position))
                values << form.text(*value);
        return values;
    };
    drawPixels(painter, place.room, place.toScreen, pixels(), valuesAt);
    if (form.exponent != 0)
        drawPlate(painter, place.room.adjusted(8, 8, -8, -8), Qt::AlignRight | Qt::AlignTop,
                  tr("values × %1").arg(powerOfTenText(form.exponent)), palette());
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
    if (pixels()) { // legible over what is kept of the last image
        const QRectF text = painter.boundingRect(room, flags, m_message).adjusted(-10, -5, 10, 5);
        const SavedPainter saved(painter);
        QColor plate = palette().color(QPalette::Window);
        plate.setAlphaF(0.85f);
        painter.setPen(Qt::NoPen);
        painter.setBrush(plate);
        painter.drawRoundedRect(text, 6, 6);
    }
    painter.drawText(room, flags, m_message);
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
