// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a scan's sinogram, which show how far it turned and whether its dimensions seem to be exchanged.
#pragma once

#include "engine/guess/turn_guess.h"
#include "engine/io/frames/frame_source.h"

#include <optional>
#include <span>

namespace engine
{

// Returns line integrals of the middle row of the projections, or of some of them if there are many; nothing if a row
// can't be read, which is reported when the rows are read later. Sets scan.exchangeSign if projections and bins seem
// to be exchanged. For counts that have neither flats nor darks nor missing frames: sets scan.offeredSides if some
// frames show no object; the lines of these frames are left out, and the remaining frames are numbered without them.
// all: the number of numbered projections, including missing ones. givenRad: an angle per existing projection; may be
// empty.
std::optional<TurnLines> turnLinesOf(Scan& scan, const ScanFrames& frames, const OpenOptions& options, int all,
                                     std::span<const double> givenRad = {});

// Returns whether scan.exchangedAxes exchanges bins and projections, rather than rows and projections.
bool mayHaveExchangedBins(const Scan& scan, const OpenOptions& options);

// Returns the axes that a stack's numbers suggest, if they differ from those it is read with; else empty. Also empty
// for a scan with flats: as they have the size of a projection, the axes are known to be right.
std::string likelierAxes(const Scan& scan, const ScanFrames& frames, const OpenOptions& options);

} // namespace engine
