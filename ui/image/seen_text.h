// SPDX-License-Identifier: GPL-3.0-or-later
// Number of projections that see a point of a cone beam's slice.
#pragma once

#include "engine/reconstruct/reconstruction.h"

#include <QPointF>
#include <QString>

namespace ui
{

// Returns "seen by 241 of 360 projections" for a pixel of the whole slice; empty if all projections see it, and for
// parallel beams.
QString seenText(const engine::Reconstruction& made, int slice, const QPointF& position);

} // namespace ui
