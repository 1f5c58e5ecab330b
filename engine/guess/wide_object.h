// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of an object that is wider than the detector.
#pragma once

#include "engine/scan/scan.h"

namespace engine
{

// Returns whether the signal at one end of the detector, the same end in nearly all projections examined, is more than
// noise and more than a tenth of the signal where the object is densest. Examines at most 8 projections and 2 rows.
// Returns false for counts without flat fields, whose air level is measured in the bins at the ends.
bool isWiderThanDetector(const Scan& scan, const RawRows& raw);

} // namespace engine
