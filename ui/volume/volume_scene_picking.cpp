// SPDX-License-Identifier: GPL-3.0-or-later
// Which slice lies under the pointer, and how far it is dragged.
#include "ui/volume/volume_scene_impl.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

double dot(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

} // namespace

std::optional<Axis> VolumeScene::sliceAt(QPoint position) const
{
    const Impl& d = *m_impl;
    vtkRenderer* const renderer = d.renderer.get();
    if (!d.shown || !d.look.slicesVisible)
        return std::nullopt;
    Vector ends[2];
    for (int k = 0; k < 2; ++k) { // points on the near and the far plane
        double point[4];
        renderer->SetDisplayPoint(position.x(), position.y(), k);
        renderer->DisplayToWorld();
        renderer->GetWorldPoint(point);
        if (point[3] == 0)
            return std::nullopt;
        ends[k] = {point[0] / point[3], point[1] / point[3], point[2] / point[3]};
    }
    std::optional<Axis> nearest;
    double nearestT = 2;
    for (int k = 0; k < 3; ++k) {
        const double along = ends[1][k] - ends[0][k];
        if (!d.canShow(static_cast<Axis>(k)) || along == 0)
            continue;
        const double t = (d.coordinate(k) - ends[0][k]) / along;
        const std::array<double, 6>& bounds = d.slices.bounds(k);
        bool inside = t >= 0 && t < nearestT;
        for (int j = 0; j < 3 && inside; ++j) {
            const double value = ends[0][j] + t * (ends[1][j] - ends[0][j]);
            inside = j == k || (value >= bounds[2 * j] && value <= bounds[2 * j + 1]);
        }
        if (inside) {
            nearest = static_cast<Axis>(k);
            nearestT = t;
        }
    }
    return nearest;
}

// Projects the slice's normal onto the screen, and returns how far the pointer moved along it, in slices.
double VolumeScene::slicesMoved(Axis axis, QPoint from, QPoint to) const
{
    const Impl& d = *m_impl;
    vtkRenderer* const renderer = d.renderer.get();
    if (!d.shown)
        return 0;
    const int k = static_cast<int>(axis);
    double bounds[6], start[3], end[3];
    d.image->GetBounds(bounds);
    Vector centre = {(bounds[0] + bounds[1]) / 2, (bounds[2] + bounds[3]) / 2, (bounds[4] + bounds[5]) / 2};
    const auto toDisplay = [renderer](const Vector& point, double* display) {
        renderer->SetWorldPoint(point[0], point[1], point[2], 1);
        renderer->WorldToDisplay();
        renderer->GetDisplayPoint(display);
    };
    toDisplay(centre, start);
    const double reach = d.image->GetLength() / 10; // large against rounding, small against perspective
    centre[k] += reach;
    toDisplay(centre, end);
    const double normal[3] = {end[0] - start[0], end[1] - start[1], 0};
    const double moved[3] = {double(to.x() - from.x()), double(to.y() - from.y()), 0};
    const double length = dot(normal, normal);
    if (length < 1) // seen along its normal: it can't be dragged
        return 0;
    return dot(moved, normal) / length * reach / d.image->GetSpacing()[k];
}

} // namespace ui
