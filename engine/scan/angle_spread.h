// SPDX-License-Identifier: GPL-3.0-or-later
// Angles that follow a rule: an even spread, or the same step from each projection to the next.
#pragma once

#include "engine/base/text.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Projection k has firstRad + k · stepRad.
struct AngleSteps {
    double firstRad = 0, stepRad = 0;
    double wrapRad = 0; // angles start again at 0 here, as those of half a turn at π; 0: they don't
    bool operator==(const AngleSteps&) const = default;
};

struct AngleSpread {
    double firstRad = 0, lastRad = 0;
    bool endExcluded = false;             // the last is where the next projection would be
    std::optional<AngleSteps> steps = {}; // in place of the three: golden angles
    bool operator==(const AngleSpread&) const = default;
};

std::string toText(const AngleSpread&); // "0 to 360° without the end", "golden angles (steps of 111.246118°)"
Text optionText(const AngleSpread&);    // as options: "angles 0:360 angles-end-excluded"

// first … last in count even steps, both included.
std::vector<double> evenAngles(double first, double last, int count);
std::vector<double> anglesOf(const AngleSteps& steps, int count);
std::vector<double> anglesOf(const AngleSpread& spread, int count);

} // namespace engine
