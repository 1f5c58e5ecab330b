// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory and disk a scan takes.
#pragma once

#include "engine/filter/filter.h"
#include "engine/scan/scan.h"

namespace engine
{

// Bytes held for the middle slice while it is reconstructed whole: its rows of every frame as read, prepared
// and filtered, and its image.
double bytesPerSlice(const Scan& scan, FilterPrecision filterPrecision);

// Size of the scan's file, or of the files of its folder; 0 when there is none.
double bytesOnDisk(const Scan& scan);

} // namespace engine
