// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/seen_text.h"

#include "engine/scan/cone_coverage.h"

#include <QCoreApplication>

#include <cmath>

namespace ui
{

QString seenText(const engine::Reconstruction& made, int slice, const QPointF& position)
{
    const auto* cone = made.request.scan ? std::get_if<engine::ConeBeam>(&made.request.scan->geometry) : nullptr;
    if (!cone)
        return {};
    engine::ConeBeam beam = *cone;
    if (beam.axisBins.size() <= 1)
        beam.axisBins = {made.axisBins}; // the axis of the reconstruction
    engine::VolumeGrid pixel{{made.grid.size, std::round(position.x()), std::round(position.y()), 1, 1, 1}};
    pixel.z0 = slice;
    const int seen = static_cast<int>(std::lround(engine::coverageOf(beam, pixel).values.front()));
    if (seen == beam.projections())
        return {};
    return QCoreApplication::translate("ui::ImagePanel", "seen by %1 of %2 projections")
        .arg(seen)
        .arg(beam.projections());
}

} // namespace ui
