// SPDX-License-Identifier: GPL-3.0-or-later
// The scale of the box and the directions of the axes, which Qt draws over VTK's picture.
#include "ui/volume/volume_scene_impl.h"

#include <QCoreApplication>
#include <QPainter>

#include <vtkCamera.h>
#include <vtkMath.h>
#include <vtkMatrix4x4.h>

namespace ui
{

std::array<bool, 6> VolumeScene::Impl::seenFaces() const
{
    const std::array<double, 6> around = bounds();
    std::array<bool, 6> seen;
    double position[3];
    renderer.get()->GetActiveCamera()->GetPosition(position);
    for (int k = 0; k < 3; ++k) {
        seen[2 * k] = position[k] < around[2 * k];
        seen[2 * k + 1] = position[k] > around[2 * k + 1];
    }
    return seen;
}

// Projects by the shape of the view: it may be that of a picture, not of VTK's window.
SeenBox VolumeScene::Impl::seenBox(const QRectF& view) const
{
    SeenBox seen;
    seen.bounds = bounds();
    seen.faceIsSeen = seenFaces();
    seen.unit = isInMm() ? QStringLiteral("mm") : QCoreApplication::translate("VolumeScene", "pixels");
    vtkMatrix4x4* const projection =
        renderer.get()->GetActiveCamera()->GetCompositeProjectionTransformMatrix(view.width() / view.height(), -1, 1);
    for (int number = 0; number < 8; ++number) {
        double at[4] = {seen.bounds[number & 1], seen.bounds[2 + ((number >> 1) & 1)],
                        seen.bounds[4 + ((number >> 2) & 1)], 1};
        projection->MultiplyPoint(at, at);
        seen.corners[number] =
            view.center() + QPointF(at[0] / at[3] * view.width(), -at[1] / at[3] * view.height()) / 2;
    }
    return seen;
}

SeenAxes VolumeScene::Impl::seenAxes() const
{
    double direction[3], up[3], right[3];
    vtkCamera* const from = renderer.get()->GetActiveCamera();
    from->GetDirectionOfProjection(direction);
    from->GetViewUp(up);
    vtkMath::Cross(direction, up, right);
    vtkMath::Normalize(right);
    vtkMath::Cross(right, direction, up);
    SeenAxes axes;
    for (int k = 0; k < 3; ++k)
        axes[k] = {right[k], up[k], -direction[k]};
    return axes;
}

void VolumeScene::drawTexts(QPainter& painter, const QRectF& view, const QColor& colour) const
{
    const Impl& d = *m_impl;
    if (!d.hasBox())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF marker = axesMarkerPlace(view);
    drawAxesMarker(painter, marker, d.seenAxes(), colour);
    const ScaleLayout scale = layOutScale(d.seenBox(view), view, marker, QFontMetricsF(painter.font()));
    painter.setPen(colour);
    for (const QLineF& tick : scale.ticks)
        painter.drawLine(tick);
    for (const ScaleLayout::Label& label : scale.labels)
        painter.drawText(label.place, Qt::AlignCenter, label.text);
}

} // namespace ui
