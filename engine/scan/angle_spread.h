// SPDX-License-Identifier: GPL-3.0-or-later
// Angles that follow a rule: evenly spread over an arc, or with a constant step between projections.
#pragma once

#include "engine/base/text.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Angles with a constant step: projection k is at firstRad + k · stepRad.
struct AngleSteps {
    double firstRad = 0, stepRad = 0;
    double wrapRad = 0; // angles wrap to 0 here, such as at π for half a turn; 0: no wrapping
    bool operator==(const AngleSteps&) const = default;
};

struct AngleSpread {
    double firstRad = 0, lastRad = 0;
    bool endExcluded = false;             // lastRad is where the next projection would be
    std::optional<AngleSteps> steps = {}; // if set, used instead of the three above: golden angles
    bool operator==(const AngleSpread&) const = default;
};

// Returns whether the arc is half a turn or a full one.
bool isUsual(const AngleSpread& spread);

std::string toText(const AngleSpread&); // "0 to 360° without the end", "golden angles (steps of 111.246118°)"
Text optionText(const AngleSpread&);    // as options: "angles 0:360 angles-end-excluded"

// Returns `count` angles in even steps from first to last, both included.
std::vector<double> evenAngles(double first, double last, int count);
std::vector<double> anglesOf(const AngleSteps& steps, int count);
std::vector<double> anglesOf(const AngleSpread& spread, int count);

} // namespace engine
