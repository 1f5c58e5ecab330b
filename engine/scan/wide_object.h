// SPDX-License-Identifier: GPL-3.0-or-later
// Whether an object is wider than the detector.
#pragma once

#include "engine/scan/scan.h"

namespace engine
{

// True if nearly all projections looked at see more at the same end of the detector than a tenth of what they see
// where the object is densest. Looks at 8 projections and 2 rows at most. False for counts without flat fields, whose
// air is taken from these very bins.
bool isWiderThanDetector(const Scan& scan, const RawRows& raw);

} // namespace engine
