// SPDX-License-Identifier: GPL-3.0-or-later
// What was found of a scan when it was opened, and what wasn't: a table for people, the window's and the command
// line's.
#pragma once

#include "engine/base/text.h"
#include "engine/scan/scan.h"

#include <string>
#include <vector>

namespace engine
{

enum class FactState { found, given, guessed, missing, notNeeded };
std::string toText(FactState); // "found", "given", "guessed", "missing", "not needed"

struct ScanFact {
    const char* id;     // in JSON
    const char* label;  // "Projections"
    FactState state;    // given: by the user
    std::string value;  // "1500, of 2048 rows and 2048 bins, uint16", or what is done without
    std::string where;  // data set or file; may be empty
    const char* option; // id of the option that corrects it; empty: none does
    const char* place;  // likewise of the window, "Reading: Angles"
};

// Projections, values, angles, flats, darks, image key, pixel size, axis, geometry.
std::vector<ScanFact> scanFacts(const Scan& scan);

// "guessed; angles says otherwise", of those that may want it; else empty.
Text correctionText(const ScanFact& fact);

} // namespace engine
