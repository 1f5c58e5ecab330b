// SPDX-License-Identifier: GPL-3.0-or-later
// A way to find the rotation axis of parallel rays, and the table of all of them: the command line and the window show
// every one beside the others (find_axis.h).
#pragma once

#include "engine/data/sinograms.h"
#include "engine/scan/parallel_beam.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace engine
{

// What all of them look at: one row of the detector. References outlive the search.
struct AxisSearch {
    const Sinograms& row; // line integrals, one slice
    const ParallelBeam& beam;
    int threads = 0; // 0: all
    std::stop_token stop = {};
};

// Where a method puts the axis.
struct AxisGuess {
    double bins = 0;  // from the centre of bin 0
    double score = 0; // 0 to 1: how much worse the next best place is, by the method's own measure; 1 stands out alone
};

struct AxisMethod {
    const char* id; // as the command line and reports name it: "opposite-views"
    const char* label;
    const char* summary;   // one sentence for a tooltip
    const char* reference; // paper with its DOI, or where it comes from
    // 0 to 1: how far a score of it is to be trusted. Settled by tests/engine/axis/find_axis_test.cpp.
    double trust;
    double errorBins; // how far it is off, where it is right
    bool isQuick;     // asked, too, where opening a scan leaves a doubt
    // Why it can't say anything about such a scan, in words for the user; nothing when it can.
    std::optional<std::string> (*unsuited)(const AxisSearch&);
    AxisGuess (*find)(const AxisSearch&); // throws Error(cancelled)
};

// THE table.
std::span<const AxisMethod> axisMethods();

// Its rows, one file each.
extern const AxisMethod oppositeViewsAxis, centreOfMassAxis; // opening_axis.cpp
extern const AxisMethod fourierAxis;                         // fourier.cpp
extern const AxisMethod overlapAxis;                         // overlap.cpp
extern const AxisMethod entropyAxis, totalVariationAxis;     // sharpness.cpp

} // namespace engine
