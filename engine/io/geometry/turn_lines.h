// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a scan that show how far it turned, and whether its dimensions seem to be exchanged.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/scan/turn_guess.h"

#include <optional>
#include <span>

namespace engine
{

// Line integrals of the middle row of the projections, or of some where there are many; nothing where one can't be
// read, which is reported when the rows are. Sets scan.exchangeSign where projections and bins seem to be exchanged, and
// scan.offeredSides where some of counts without flats show no object: these are no lines, and the others are counted
// without them.
// all: how many projections are numbered, those that are missing included. givenRad: of each that is there; may be
// empty.
std::optional<TurnLines> turnLinesOf(Scan& scan, const ScanFrames& frames, const OpenOptions& options, int all,
                                     std::span<const double> givenRad = {});

// Whether scan.exchangedAxes exchanges bins and projections, rather than rows and projections.
bool mayHaveExchangedBins(const Scan& scan, const OpenOptions& options);

// The axes of a stack that its numbers speak for, where they are others than it is read with; else empty. Flats have the
// size of a projection: empty for a scan with flats.
std::string likelierAxes(const Scan& scan, const ScanFrames& frames, const OpenOptions& options);

} // namespace engine
