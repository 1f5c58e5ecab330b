// SPDX-License-Identifier: GPL-3.0-or-later
// Facts found or missing when a scan was opened: a table for the user, in the window and on the command line.
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
    std::string value;  // "1500, of 2048 rows and 2048 bins, uint16", or the substitute for a missing part
    std::string where;  // data set or file; may be empty
    const char* option; // id of the option that corrects it; empty: none
    const char* place;  // place in the window that corrects it: "Reading: Angles"
};

// Projections, values, angles, flats, darks, image key, pixel size, axis, geometry.
std::vector<ScanFact> scanFacts(const Scan& scan);

// Returns "guessed; angles overrides it" for facts that may need a correction; else empty.
Text correctionText(const ScanFact& fact);

} // namespace engine
