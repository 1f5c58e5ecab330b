// SPDX-License-Identifier: GPL-3.0-or-later
// The same scan with another geometry: the recorded rows stay as they are.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/scan/scan.h"

#include <memory>

namespace engine
{

// Returns the options that result in the scan's geometry. For a cone beam: all but its matrices, and without the
// volume if it is the standard one. For a parallel beam: what is known, such as its pixel. Angles are counted as in
// the scan.
ConeOptions saidOf(const Scan& scan);

// Returns the scan with a cone-beam geometry; angles count in the direction that the options specify. If the scan has
// matrices, they stay, and only the volume of the options is used. Throws Error(badRequest), which names the scan.
std::shared_ptr<const Scan> takenAsCone(const Scan& scan, const ConeOptions& options);

// Returns a parallel-beam scan with other angles, as if they were given; its axis stays.
std::shared_ptr<const Scan> takenOver(const Scan& scan, const AngleSpread& arc);

// Returns the scan with a parallel-beam geometry; its axis is unknown, its pixel is that of the former voxels.
std::shared_ptr<const Scan> takenAsParallel(const Scan& scan);

} // namespace engine
