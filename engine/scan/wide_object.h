// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of an object that is wider than the detector.
#pragma once

#include "engine/scan/scan.h"

namespace engine
{

// Returns true if nearly all projections examined have more signal at the same end of the detector than a tenth of
// that where the object is densest. Examines at most 8 projections and 2 rows. Returns false for counts without flat
// fields, whose air level comes from these very bins.
bool isWiderThanDetector(const Scan& scan, const RawRows& raw);

} // namespace engine
