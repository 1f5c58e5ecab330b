// What is pointed at in the slice, the sinogram or the projection, in the others.
#include "ui/image/value_text.h"
#include "ui/recorded/linked_point.h"
#include "ui/recorded/recorded_panel_impl.h"

#include <QStringBuilder>

namespace ui
{

namespace
{

QString valueAt(const Pixels& pixels, const QPointF& position)
{
    const std::optional<float> found = pixels.at(position);
    return found ? valueText(*found, 4) : QStringLiteral("–");
}

bool isOn(const Pixels& pixels, const QPointF& position)
{
    return pixels && QRectF(-0.5, -0.5, pixels.width(), pixels.height()).contains(position);
}

} // namespace

void RecordedPanel::pointAt(const std::optional<QPointF>& position)
{
    Impl& d = *m_impl;
    const double end = d.scan ? d.scan->sliceSize() - 0.5 : 0;
    const bool isInside =
        position && std::min(position->x(), position->y()) >= -0.5 && std::max(position->x(), position->y()) < end;
    if (!isVisible())
        return;
    if (!isInside)
        return emit pointKept(d.point); // which others may have taken away
    d.point = position;
    d.showLinks();
}

void RecordedPanel::Impl::pointInSinogram(const QPointF& position)
{
    onProjection.reset();
    onSinogram = isOn(sinogram.pixels, position) ? std::optional(position) : std::nullopt;
    QString text;
    if (onSinogram && scan) {
        const int at = qRound(position.y());
        text = RecordedPanel::tr("bin %1 · projection %2, %3").arg(qRound(position.x())).arg(at).arg(angleText(at)) %
               QStringLiteral(" · ") % valueName(sinogram) % u' ' % valueAt(sinogram.pixels, position);
    }
    emit panel->pointerMoved(text);
    showLinks();
}

void RecordedPanel::Impl::pointInProjection(const QPointF& position)
{
    onSinogram.reset();
    onProjection = isOn(projection.pixels, position) ? std::optional(position) : std::nullopt;
    QString text;
    if (onProjection)
        text = RecordedPanel::tr("bin %1 · row %2").arg(qRound(position.x())).arg(qRound(position.y())) %
               QStringLiteral(" · ") % valueName(projection) % u' ' % valueAt(projection.pixels, position);
    emit panel->pointerMoved(text);
    showLinks();
}

void RecordedPanel::Impl::pointNowhere()
{
    onSinogram.reset();
    onProjection.reset();
    emit panel->pointerMoved({});
    showLinks();
}

void RecordedPanel::Impl::showLinks()
{
    const int shownProjection = panel->projection();
    std::vector<Guide> onSlice, inSinogram, inProjection;
    std::optional<QPointF> sinogramMarker, projectionMarker;
    if (scan && sight && panel->isVisible()) {
        const LinkedPlace place{*sight, slice, shownProjection, scan->bins()};
        inSinogram.push_back(
            {{QPolygonF({QPointF(-0.5, shownProjection), QPointF(scan->bins() - 0.5, shownProjection)})},
             Guide::Kind::selection});
        inProjection.push_back(rowOf(place));
        if (point) {
            inSinogram.push_back(sineOf(place, *point));
            projectionMarker = seenAt(place, *point);
            sinogramMarker = QPointF(projectionMarker->x(), shownProjection);
        }
        if (onSinogram) {
            const int at = qRound(onSinogram->y());
            onSlice.push_back(rayOf(place, at, onSinogram->x()));
            if (at == shownProjection)
                projectionMarker = QPointF(onSinogram->x(), sight->middleOf(at, slice).row);
        }
        if (onProjection) {
            onSlice.push_back(rayOf(place, shownProjection, onProjection->x()));
            sinogramMarker = QPointF(onProjection->x(), shownProjection);
        }
    }
    sinogram.view->setGuides(inSinogram);
    sinogram.view->setMarker(sinogramMarker);
    projection.view->setGuides(inProjection);
    projection.view->setMarker(projectionMarker);
    emit panel->guidesChanged(onSlice);
    if (panel->isVisible())
        emit panel->pointKept(point);
}

} // namespace ui
