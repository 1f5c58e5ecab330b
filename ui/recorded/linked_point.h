// SPDX-License-Identifier: GPL-3.0-or-later
// A pointed place, and where it lies in a slice, in the sinogram of its row, and in a projection.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "engine/scan/detector_mapping.h"
#include "ui/image/overlay.h"

#include <QPointF>

#include <optional>
#include <vector>

namespace ui
{

// The slice and the projection that are shown, and the number of detector bins.
struct LinkedPlace {
    const engine::Sight& sight;
    int slice = 0, projection = 0, bins = 0;
};

// Returns the sinusoid of a point of the slice, as (bin, projection). It is split into parts where it jumps, for
// example where the angles aren't in order.
Guide sineOf(const LinkedPlace& place, const QPointF& point);
// Returns where the point is seen in the projection, as (bin, row).
QPointF seenAt(const LinkedPlace& place, const QPointF& point);
// Returns the line in the slice along the ray that ends in that bin of that projection; empty if the ray misses the
// slice.
Guide rayOf(const LinkedPlace& place, int projection, double bin);
// Returns the row of the projection that sees the middle of the slice, over the whole width.
Guide rowOf(const LinkedPlace& place);

// Returns the scan's geometry with the axis that an image was reconstructed with.
engine::Sight sightOf(const engine::Reconstruction& made);

} // namespace ui
