// SPDX-License-Identifier: GPL-3.0-or-later
// Search for the bin of a cone beam's central ray, from rays that were measured from both sides.
#pragma once

#include "engine/axis/axis.h"
#include "engine/scan/cone_beam.h"

#include <stop_token>

namespace engine
{

// Like whyNoAxis of axis.h: the angles must cover half a turn and half the fan.
std::optional<std::string> whyNoConeAxis(const ConeBeam& beam);

// row: line integrals of the detector row nearest to the central ray. Distances, pixels and angles are those of
// `beam`. Throws Error(badRequest) with the reason of whyNoConeAxis, and for trajectories that aren't circles;
// cancelled.
AxisFound findConeAxis(const Sinograms& row, const ConeBeam& beam, int threads, const std::stop_token& stop);

} // namespace engine
