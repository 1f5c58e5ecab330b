// SPDX-License-Identifier: GPL-3.0-or-later
// A method to find the rotation axis of parallel rays, and the table of all methods: the command line and the window
// show the results of all of them side by side (find_axis.h).
#pragma once

#include "engine/data/sinograms.h"
#include "engine/scan/parallel_beam.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace engine
{

// Input of all methods: one row of the detector. The references must outlive the search.
struct AxisSearch {
    const Sinograms& row; // line integrals, one slice
    const ParallelBeam& beam;
    int threads = 0; // 0: all
    std::stop_token stop = {};
};

// The axis position found by a method.
struct AxisGuess {
    double bins = 0;  // from the centre of bin 0
    double score = 0; // 0 to 1: lead over the next best position by the method's own measure; 1: no rival
};

struct AxisMethod {
    const char* id; // used by the command line and in reports: "opposite-views"
    const char* label;
    const char* summary;   // one sentence for a tooltip
    const char* reference; // paper with its DOI, or another source
    // 0 to 1: how far the method's score is to be trusted. Determined by tests/engine/axis/find_axis_test.cpp.
    double trust;
    double errorBins; // typical error of a correct result
    bool isQuick;     // also used on opening a scan, if searchAxis leaves a doubt
    // Returns why the method can't be used for such a scan, in words for the user; nothing if it can.
    std::optional<std::string> (*unsuited)(const AxisSearch&);
    AxisGuess (*find)(const AxisSearch&); // throws Error(cancelled)
};

// The table of all methods.
std::span<const AxisMethod> axisMethods();

// Rows of the table.
extern const AxisMethod oppositeViewsAxis, centreOfMassAxis; // opening_axis.cpp
extern const AxisMethod fourierAxis;                         // fourier.cpp
extern const AxisMethod overlapAxis;                         // overlap.cpp
extern const AxisMethod entropyAxis, totalVariationAxis;     // sharpness.cpp

} // namespace engine
