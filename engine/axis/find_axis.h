// SPDX-License-Identifier: GPL-3.0-or-later
// All methods to find the rotation axis, run on the same row: the position found by each, and their agreement.
#pragma once

#include "engine/axis/axis.h"
#include "engine/axis/method.h"
#include "engine/request/setting.h"

#include <functional>
#include <string>
#include <vector>

namespace engine
{

struct PreparedRows;

struct AxisCandidate {
    const AxisMethod* method = nullptr;
    std::string unsuited; // why the method wasn't used; if not empty, the following members are meaningless
    AxisGuess guess;
    bool agrees = false; // with the position chosen
    double seconds = 0;
};

struct AxisCandidates {
    std::vector<AxisCandidate> candidates; // in the order of the table
    // The joint result, and its confidence from the evidence for this and for other positions. The evidence is each
    // candidate's score weighted by the trust in its method, treated as independent of the others. Has a doubt if the
    // confidence is below 0.5.
    AxisFound found;
    double toleranceBins = 0;           // maximum distance of candidates that agree
    std::vector<int> emptyProjections;  // of the scan, in that row (engine/scan/empty_projections.h)
    std::optional<OppositeLines> lines; // for display
};

using AxisProgress = std::function<void(double)>; // share of the methods that have ended, 0 to 1; from any thread

// Runs all methods on one row of line integrals. Throws Error(badRequest) like searchAxis, and for other geometries
// than parallel beams; cancelled.
AxisCandidates findAxisCandidates(const Sinograms& row, const Geometry& geometry, int threads,
                                  const std::stop_token& stop = {}, const AxisProgress& progress = {});

// Reads the row in which the axis of a request's scan is searched, and prepares it as the request specifies. Throws
// like reading and preparing.
PreparedRows prepareAxisRow(const Request& request, const std::stop_token& stop);

// Runs all methods on the row of prepareAxisRow. Also throws like reading.
AxisCandidates findAxisCandidates(const Request& request, const std::stop_token& stop = {},
                                  const AxisProgress& progress = {});

// Makes an axis doubtful if it was found with doubtful angles: assumed ones that are uncertain, or given ones that
// don't fit the projections.
AxisFound doubtedFor(const Scan& scan, AxisFound found);

// Finds the axis for a reconstruction where none is known. For a parallel beam, it is the joint result of all
// candidates, position and confidence, as in findAxisCandidates. Any geometry.
AxisFound findAxis(const Sinograms& row, const Geometry& geometry, int threads, const std::stop_token& stop = {});

// Finds the axis in row number `row` of these rows; returns a guess if nothing was recorded in it.
AxisFound findAxis(const PreparedRows& rows, int row, int threads, const std::stop_token& stop = {});

// Like findAxis, but quicker and less certain: for callers that compare the axes of many rows. Returns the result of
// searchAxis if it has no doubt, else the joint result of the quick candidates only.
AxisFound findAxisQuickly(const PreparedRows& rows, int row, int threads, const std::stop_token& stop = {});

} // namespace engine
