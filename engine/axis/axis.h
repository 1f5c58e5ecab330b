// SPDX-License-Identifier: GPL-3.0-or-later
// Search for the rotation axis in the projections.
#pragma once

#include "engine/base/text.h"
#include "engine/data/sinograms.h"
#include "engine/scan/scan.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// A rotation axis that was found, and its reliability.
struct AxisFound {
    double bins = 0; // from the centre of bin 0
    std::string how; // "opposite views alone", "opposite-views, fourier together"
    // 0 to 1: how much worse the next best position is than this one; 1 is certain, below 0.5 is doubtful. Empty:
    // unknown.
    std::optional<double> confidence = {};
    Text doubt = {}; // a sentence if the axis is doubtful, or if it is not where opposite views match best
    // If the middle of the detector is used as a guess: why the axis can't be found, as returned by whyNoAxis; else
    // empty.
    std::string guessedFor = {};

    bool isGuess() const { return !guessedFor.empty(); }
};

std::string inBins(double bins); // "293.82 bins"

// Minimum confidence of an axis that is not doubtful.
inline constexpr double sureAxis = 0.5;

// Best match of opposite views and the next best one.
struct OppositeViews {
    double bins = 0, next = 0, confidence = 0;
};

// Returns nothing if no two projections are opposite, or for fewer than 16 bins. Throws Error(cancelled).
std::optional<OppositeViews> matchOppositeViews(const Sinograms& sinograms, const std::vector<double>& anglesRad,
                                                int threads, const std::stop_token& stop);

// Two views of the first slice from opposite sides, one value per bin: mirror images about the axis.
struct OppositeLines {
    std::vector<double> here, opposite;
};
std::optional<OppositeLines> oppositeLinesOf(const Sinograms& sinograms, const std::vector<double>& anglesRad);

// Axis by the least-squares fit of centre of mass · mass = mass · (axis + a·cosθ + b·sinθ) over all projections. An
// object that is seen completely has the same mass in all projections.
struct MassAxis {
    double bins = 0;
    bool consistent = false; // cut off by less than 2 %, and the axis within the detector
    double cutOff = 1;       // share that may be cut off, from the variation of the mass or the signal at the ends
};
MassAxis axisFromMass(const Sinograms& sinograms, const std::vector<double>& anglesRad);

// Returns "The rotation axis, 12.5 bins, <reason>", followed by what to do.
Text axisDoubt(double bins, const Text& reason);

// Returns why no axis can be found from such a scan, whatever its data: "from an arc of 60°, 90° are needed". Nothing
// if a search is possible.
std::optional<std::string> whyNoAxis(const std::vector<double>& anglesRad);
std::optional<std::string> whyNoAxis(const Geometry& geometry);
// Returns the sentence of an error message with this reason, which whyNoAxis returned.
std::string noAxisText(const std::string& why);

// Returns the middle of the detector as a guess where no axis can be found: its confidence is 0, and it has a doubt.
// why: the reason returned by whyNoAxis.
AxisFound middleAsAxis(const Geometry& geometry, const std::string& why);
// Returns that guess for a geometry whose axis can't be found; nothing for other geometries.
std::optional<AxisFound> guessedAxis(const Geometry& geometry);
// Returns why no axis can be found in rows without any contrast, such as those of a scan of air. Nothing if a search
// is possible.
std::optional<std::string> whyNoAxis(const Sinograms& sinograms);

// Searches the whole detector and refines the result to a fraction of a bin. Works for arcs of 180° and 360° and for
// offset axes. Uses the centre of mass if opposite views match about equally well at two axes and all projections have
// the same mass, so that nothing of the object is cut off. sinograms: one or more slices of line integrals (rows with
// more contrast count more). Throws Error(badRequest) for fewer than 3 projections or an arc below 90°; cancelled.
AxisFound searchAxis(const Sinograms& sinograms, const std::vector<double>& anglesRad, int threads,
                     std::stop_token stop = {});

// Searches for the axis of any geometry in one row, that of axisRowOf. For cone beams, returns the bin of the central
// ray. Returns the middle of the detector as a guess if the row shows nothing.
// Throws Error(badRequest) for a geometry whose axis can't be found.
AxisFound searchAxis(const Sinograms& row, const Geometry& geometry, int threads, std::stop_token stop = {});

// Returns the row of the detector to search if the axis of the scan is unknown.
RowRange axisRowOf(const Scan& scan);

} // namespace engine
