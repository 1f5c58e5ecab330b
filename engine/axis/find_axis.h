// SPDX-License-Identifier: GPL-3.0-or-later
// All ways to find the rotation axis, run on the same row: where each puts it, and how far they agree.
#pragma once

#include "engine/axis/axis.h"
#include "engine/axis/method.h"
#include "engine/request/setting.h"

#include <string>
#include <vector>

namespace engine
{

struct PreparedRows;

struct AxisCandidate {
    const AxisMethod* method = nullptr;
    std::string unsuited; // why it wasn't asked; then nothing of what follows counts
    AxisGuess guess;
    bool agrees = false; // with the axis that is taken
    double seconds = 0;
};

struct AxisCandidates {
    std::vector<AxisCandidate> candidates; // in the order of the table
    // What they say together, and a confidence of what speaks for it and for other places: each candidate's score as
    // far as it is trusted, independent of the others'. A doubt below 0.5.
    AxisFound found;
    double toleranceBins = 0;           // as near candidates agree
    std::vector<int> emptyProjections;  // of the scan's, in that row (engine/scan/empty_projections.h)
    std::optional<OppositeLines> lines; // to look at
};

// One row of line integrals. Throws Error(badRequest) where searchAxis does and for other geometries; cancelled.
AxisCandidates findAxisCandidates(const Sinograms& row, const Geometry& geometry, int threads,
                                  const std::stop_token& stop = {});

// The row that the axis of a request's scan is found in, prepared as it asks. Throws as reading does, and preparing.
PreparedRows prepareAxisRow(const Request& request, const std::stop_token& stop);

// The same of a request's scan, prepared as it asks: the row that the axis is found in. Throws as reading does, too.
AxisCandidates findAxisCandidates(const Request& request, const std::stop_token& stop = {});

// An axis that was found with angles that are doubtful (assumed without certainty, or given and not fitting the
// projections) is doubtful itself.
AxisFound doubtedFor(const Scan& scan, AxisFound found);

// The axis that a scan is reconstructed with where none is known: of a parallel beam what all candidates say together,
// position and confidence, as findAxisCandidates has it. Any geometry.
AxisFound findAxis(const Sinograms& row, const Geometry& geometry, int threads, const std::stop_token& stop = {});

// The same in one of some rows, which is a guess where nothing was recorded in them.
AxisFound findAxis(const PreparedRows& rows, int row, int threads, const std::stop_token& stop = {});

// Of one of many rows, which confirm each other: that of searchAxis where it is sure, else of all quick candidates.
AxisFound findAxisQuickly(const PreparedRows& rows, int row, int threads, const std::stop_token& stop = {});

} // namespace engine
