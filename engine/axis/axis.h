// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation axis, found from the projections.
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

// An axis that was found, and how far it is to be trusted.
struct AxisFound {
    double bins = 0; // from the centre of bin 0
    std::string how; // "opposite views alone", "opposite-views, fourier together"
    // 0 to 1: how much worse the next best place is than this one; 1 is sure, below 0.5 is doubtful. Empty: not known.
    std::optional<double> confidence = {};
    Text doubt = {}; // where it is doubtful, or not by opposite views though these would say another: a sentence
    // Of the middle of the detector, taken as a guess: why the axis can't be found, as of whyNoAxis; else empty.
    std::string guessedFor = {};

    bool isGuess() const { return !guessedFor.empty(); }
};

std::string inBins(double bins); // "293.82 bins"

// Below it, an axis is doubtful.
inline constexpr double sureAxis = 0.5;

// Where opposite views match best, and where next best.
struct OppositeViews {
    double bins = 0, next = 0, confidence = 0;
};

// None where no two projections are opposite, and for fewer than 16 bins. Throws Error(cancelled).
std::optional<OppositeViews> matchOppositeViews(const Sinograms& sinograms, const std::vector<double>& anglesRad,
                                                int threads, const std::stop_token& stop);

// Two views from opposite sides, of the first slice, by bins: mirror images about the axis. None where there are none.
struct OppositeLines {
    std::vector<double> here, opposite;
};
std::optional<OppositeLines> oppositeLinesOf(const Sinograms& sinograms, const std::vector<double>& anglesRad);

// Least squares of centre of mass · mass = mass · (axis + a·cosθ + b·sinθ) over all projections. What is seen whole
// weighs the same from everywhere.
struct MassAxis {
    double bins = 0;
    bool consistent = false; // within 2 %, and in the detector
    double cutOff = 1;       // how much of the object may be: the variation of the mass, or what is seen at the ends
};
MassAxis axisFromMass(const Sinograms& sinograms, const std::vector<double>& anglesRad);

// "The rotation axis, 12.5 bins, <reason>", and what to do.
Text axisDoubt(double bins, const Text& reason);

// Why no axis can be found from such a scan, whatever it shows: "from an arc of 60°, 90° are needed". Nothing where it
// can be tried.
std::optional<std::string> whyNoAxis(const std::vector<double>& anglesRad);
std::optional<std::string> whyNoAxis(const Geometry& geometry);
// The sentence of an error that says so.
std::string noAxisText(const std::string& why);

// The middle of the detector, where no axis can be found: a guess without any confidence, and doubtful. why: as of
// whyNoAxis.
AxisFound middleAsAxis(const Geometry& geometry, const std::string& why);
// The same of a geometry that has none to be found. Nothing where one can be.
std::optional<AxisFound> guessedAxis(const Geometry& geometry);
// Why no axis can be found in rows that are the same all over, as of a scan of air alone. Nothing where it can be
// tried.
std::optional<std::string> whyNoAxis(const Sinograms& sinograms);

// Found over the whole detector and refined to a fraction of a bin. Works for arcs of 180° and 360° and for offset
// axes. Where opposite views match as well elsewhere, and all projections hold as much as each other, so that nothing
// of the object is cut off, it is the centre of mass. sinograms: one or more slices of line integrals (rows with more
// contrast count more). Throws Error(badRequest) for fewer than 3 projections or an arc below 90°; cancelled.
AxisFound searchAxis(const Sinograms& sinograms, const std::vector<double>& anglesRad, int threads,
                     std::stop_token stop = {});

// The same for any geometry, from one row: that of axisRowOf. Cone beams: the bin of the central ray. The middle of
// the detector as a guess where the row shows nothing.
// Throws Error(badRequest) for a geometry that it can't be found for.
AxisFound searchAxis(const Sinograms& row, const Geometry& geometry, int threads, std::stop_token stop = {});

// The row of the detector that the axis is found in, of a scan whose axis isn't known.
RowRange axisRowOf(const Scan& scan);

} // namespace engine
