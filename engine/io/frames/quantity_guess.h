// SPDX-License-Identifier: GPL-3.0-or-later
// The kind of a scan's numbers: counts, transmission or line integrals.
#pragma once

#include "engine/io/frames/frame_source.h"

#include <optional>

namespace engine
{

// Sets quantity, source, reason and doubt of a scan. Adds a note if the quantity is doubtful or guessed; a guess needs
// no note if the scan has flats, or if the numbers are counts stored as whole numbers. The user's value takes
// precedence over the file's (scan.quantitySource `recorded`), and the file's over a guess. The guess uses the stored
// type, the flat fields and the values of a few projections in the middle row: the air beside the object is bright in
// counts, 1 in transmission, and 0 in line integrals.
void decideQuantity(Scan& scan, const ScanFrames& frames, std::optional<Quantity> given);

} // namespace engine
