// SPDX-License-Identifier: GPL-3.0-or-later
// How many projections see a place of a cone beam's slice.
#pragma once

#include "engine/reconstruct/reconstruction.h"

#include <QPointF>
#include <QString>

namespace ui
{

// "seen by 241 of 360 projections", at a pixel of the whole slice; empty where all see it, and for parallel beams.
QString seenText(const engine::Reconstruction& made, int slice, const QPointF& position);

} // namespace ui
