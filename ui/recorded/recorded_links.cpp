// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recorded/recorded_links.h"

#include "ui/recorded/linked_point.h"

#include <QStringBuilder>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

RecordedLinks::RecordedLinks(RecordedImage& sinogram, RecordedImage& projection, const ProjectionBar& bar,
                             const QWidget* panel)
    : m_sinogram(sinogram), m_projection(projection), m_bar(bar), m_panel(panel)
{
    connect(sinogram.view(), &ImageView::pointerAt, this, &RecordedLinks::pointInSinogram);
    connect(sinogram.view(), &ImageView::pointerLeft, this, &RecordedLinks::pointNowhere);
    connect(projection.view(), &ImageView::pointerAt, this, &RecordedLinks::pointInProjection);
    connect(projection.view(), &ImageView::pointerLeft, this, &RecordedLinks::pointNowhere);
    connect(projection.view(), &ImageView::clicked, this, &RecordedLinks::askForSlice);
}

void RecordedLinks::setScan(const std::shared_ptr<const engine::Scan>& scan)
{
    m_scan = scan;
    m_sight.reset();
    m_point.reset();
    m_onSinogram.reset(); // the new scan may have fewer projections
    m_onProjection.reset();
}

int RecordedLinks::row() const
{
    const double row = m_sight ? m_sight->middleOf(0, m_slice).row : m_slice;
    return std::clamp(static_cast<int>(std::lround(row)), 0, m_scan->rows - 1);
}

std::optional<engine::RowRange> RecordedLinks::slicesIn(const engine::RowRange& rows) const
{
    if (!m_sight || !m_scan)
        return {};
    const auto sliceAt = [this](int row) {
        return std::clamp(qRound(m_sight->sliceAt(m_bar.projection(), row)), 0, m_scan->slices() - 1);
    };
    const auto [first, last] = std::minmax({sliceAt(rows.first), sliceAt(rows.first + rows.count - 1)});
    return engine::RowRange{first, last - first + 1};
}

QString RecordedLinks::angleText(int projection) const
{
    const double rad =
        m_scan->anglesRad()[static_cast<std::size_t>(projection)] - engine::rotationRadOf(m_scan->geometry);
    return QString::number(rad * 180 / std::numbers::pi, 'f', 2).replace(u'-', u'−') + QStringLiteral("°");
}

void RecordedLinks::pointAt(const std::optional<QPointF>& position)
{
    const double end = m_scan ? m_scan->sliceSize() - 0.5 : 0;
    const bool isInside =
        position && std::min(position->x(), position->y()) >= -0.5 && std::max(position->x(), position->y()) < end;
    if (!m_panel->isVisible())
        return;
    if (!isInside)
        return emit pointKept(m_point); // the profile's cursor may have replaced the point
    m_point = position;
    show();
}

void RecordedLinks::pointInSinogram(const QPointF& position)
{
    m_onProjection.reset();
    m_onSinogram = m_sinogram.isOn(position) ? std::optional(position) : std::nullopt;
    QString text;
    if (m_onSinogram && m_scan) {
        const int at = qRound(position.y());
        text = tr("bin %1 · projection %2, %3").arg(qRound(position.x())).arg(at).arg(angleText(at)) %
               QStringLiteral(" · ") % m_sinogram.textAt(position);
    }
    emit pointerMoved(text);
    show();
}

void RecordedLinks::pointInProjection(const QPointF& position)
{
    m_onSinogram.reset();
    m_onProjection = m_projection.isOn(position) ? std::optional(position) : std::nullopt;
    QString text;
    if (m_onProjection)
        text = tr("bin %1 · row %2").arg(qRound(position.x())).arg(qRound(position.y())) % QStringLiteral(" · ") %
               m_projection.textAt(position);
    emit pointerMoved(text);
    show();
}

void RecordedLinks::pointNowhere()
{
    m_onSinogram.reset();
    m_onProjection.reset();
    emit pointerMoved({});
    show();
}

void RecordedLinks::askForSlice(const QPointF& inProjection)
{
    if (!m_sight || !m_scan)
        return;
    emit sliceWanted(slicesIn({qRound(inProjection.y()), 1})->first);
}

void RecordedLinks::show()
{
    const int shown = m_bar.projection();
    std::vector<Guide> onSlice, inSinogram, inProjection;
    std::optional<QPointF> sinogramMarker, projectionMarker;
    if (m_scan && m_sight && m_panel->isVisible()) {
        const LinkedPlace place{*m_sight, m_slice, shown, m_scan->bins()};
        inSinogram.push_back(
            {{QPolygonF({QPointF(-0.5, shown), QPointF(m_scan->bins() - 0.5, shown)})}, Guide::Kind::selection});
        inProjection.push_back(rowOf(place));
        if (m_point) {
            inSinogram.push_back(sineOf(place, *m_point));
            projectionMarker = seenAt(place, *m_point);
            sinogramMarker = QPointF(projectionMarker->x(), shown);
        }
        if (m_onSinogram) {
            const int at = qRound(m_onSinogram->y());
            onSlice.push_back(rayOf(place, at, m_onSinogram->x()));
            if (at == shown)
                projectionMarker = QPointF(m_onSinogram->x(), m_sight->middleOf(at, m_slice).row);
        }
        if (m_onProjection) {
            onSlice.push_back(rayOf(place, shown, m_onProjection->x()));
            sinogramMarker = QPointF(m_onProjection->x(), shown);
        }
    }
    m_sinogram.view()->setGuides(inSinogram);
    m_sinogram.view()->setMarker(sinogramMarker);
    m_projection.view()->setGuides(inProjection);
    m_projection.view()->setMarker(projectionMarker);
    emit guidesChanged(onSlice);
    if (m_panel->isVisible())
        emit pointKept(m_point);
}

} // namespace ui
