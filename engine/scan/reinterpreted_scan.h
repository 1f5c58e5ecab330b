// SPDX-License-Identifier: GPL-3.0-or-later
// The same scan with another geometry: the recorded rows stay as they are.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/scan/scan.h"

#include <memory>

namespace engine
{

// The options that give the scan the geometry that it has: of a cone all but its matrices, without the volume where it
// is the standard one; of a parallel beam what it knows, which is its pixel. Angles are counted as the scan has them.
ConeOptions saidOf(const Scan& scan);

// Its angles counted as the options say. Where there are matrices they stay, and of the options the volume counts.
// Throws Error(badRequest) that names the scan.
std::shared_ptr<const Scan> takenAsCone(const Scan& scan, const ConeOptions& options);

// Its axis to be found, its pixel that of the voxels.
std::shared_ptr<const Scan> takenAsParallel(const Scan& scan);

} // namespace engine
