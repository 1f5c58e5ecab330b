// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recorded/linked_point.h"

#include <algorithm>
#include <cmath>

namespace ui
{

Guide sineOf(const LinkedPlace& place, const QPointF& point)
{
    constexpr double jump = 0.05; // share of the detector; a larger step between projections splits the curve
    const double most = std::max(2.0, jump * place.bins);
    Guide guide;
    double before = 0;
    for (int p = 0; p < place.sight.projections(); ++p) {
        const double bin = place.sight.placeOf(p, point.x(), point.y(), place.slice).bin;
        if (guide.parts.empty() || !(std::abs(bin - before) <= most))
            guide.parts.emplace_back();
        guide.parts.back() << QPointF(bin, p);
        before = bin;
    }
    return guide;
}

QPointF seenAt(const LinkedPlace& place, const QPointF& point)
{
    const engine::DetectorPlace seen = place.sight.placeOf(place.projection, point.x(), point.y(), place.slice);
    return {seen.bin, seen.row};
}

Guide rayOf(const LinkedPlace& place, int projection, double bin)
{
    const auto line = place.sight.lineAt(projection, bin, place.slice);
    if (!line)
        return {};
    return {{QPolygonF({QPointF(line->column0, line->row0), QPointF(line->column1, line->row1)})}};
}

Guide rowOf(const LinkedPlace& place)
{
    const double row = place.sight.middleOf(place.projection, place.slice).row;
    return {{QPolygonF({QPointF(-0.5, row), QPointF(place.bins - 0.5, row)})}, Guide::Kind::selection};
}

engine::Sight sightOf(const engine::Reconstruction& made)
{
    const engine::Geometry& geometry = made.request.scan->geometry;
    const bool isKnown = made.axisSource == "scan" && engine::axisBinsOf(geometry).size() != 1;
    return engine::Sight(isKnown ? geometry : engine::withAxis(geometry, made.axisBins));
}

} // namespace ui
