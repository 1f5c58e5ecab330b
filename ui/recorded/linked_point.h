// SPDX-License-Identifier: GPL-3.0-or-later
// What is pointed at, and where else it is: in a slice, in the sinogram of its row, in a projection.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "engine/scan/detector_mapping.h"
#include "ui/image/overlay.h"

#include <QPointF>

#include <optional>
#include <vector>

namespace ui
{

// Of a slice and a projection that are shown, on a detector of so many bins.
struct LinkedPlace {
    const engine::Sight& sight;
    int slice = 0, projection = 0, bins = 0;
};

// The sine of a point of the slice, (bin, projection); in parts where it jumps, as where angles aren't in order.
Guide sineOf(const LinkedPlace& place, const QPointF& point);
// Where the point is seen in the projection, (bin, row).
QPointF seenAt(const LinkedPlace& place, const QPointF& point);
// Of the slice, what ends in that bin of that projection; empty where it passes the slice.
Guide rayOf(const LinkedPlace& place, int projection, double bin);
// The row of the slice in the projection, through the whole of it: where its middle is seen.
Guide rowOf(const LinkedPlace& place);

// The engine's geometry with the axis that an image was made with.
engine::Sight sightOf(const engine::Reconstruction& made);

} // namespace ui
