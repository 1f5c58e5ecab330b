// SPDX-License-Identifier: GPL-3.0-or-later
// What the numbers of a scan are: counts, transmission or line integrals.
#pragma once

#include "engine/io/frames/frame_source.h"

#include <optional>

namespace engine
{

// Sets quantity, source, reason and doubt of a scan, and leaves a note: what the user says goes before what the
// file said (scan.quantitySource `recorded`), and that before a guess from the stored type, the flat fields and
// the values of a few projections in the middle row: the air beside the object is bright in counts, 1 in
// transmission, and 0 in line integrals.
void decideQuantity(Scan& scan, const ScanFrames& frames, std::optional<Quantity> given);

} // namespace engine
