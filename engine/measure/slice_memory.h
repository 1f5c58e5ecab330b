// SPDX-License-Identifier: GPL-3.0-or-later
// Memory and disk space that a scan needs.
#pragma once

#include "engine/filter/filter.h"
#include "engine/scan/scan.h"

namespace engine
{

// Returns the bytes in memory while the whole middle slice is reconstructed: its rows of every frame as read,
// prepared and filtered, and its image.
double bytesPerSlice(const Scan& scan, FilterPrecision filterPrecision);

// Returns the size of the scan's file, or of the files in its folder; 0 if there is none.
double bytesOnDisk(const Scan& scan);

} // namespace engine
