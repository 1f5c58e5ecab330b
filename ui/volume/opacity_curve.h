// SPDX-License-Identifier: GPL-3.0-or-later
// Opacity of a volume as a function of its values: a line through points.
#pragma once

#include "ui/volume/stack_values.h"

#include <QString>

#include <array>
#include <vector>

namespace ui
{

struct OpacityPoint {
    double value = 0, opacity = 0; // opacity: 0…1
    bool operator==(const OpacityPoint&) const = default;
};

// Two points or more with rising values. Beyond both ends the opacity stays as it is there.
using OpacityCurve = std::vector<OpacityPoint>;

double opacityAt(const OpacityCurve& curve, double value);
double clearBelow(const OpacityCurve& curve); // values below it are transparent; −∞ if none are

// Moves a point, but not past its neighbours or out of 0…1.
OpacityCurve withPointMoved(OpacityCurve curve, std::size_t point, const OpacityPoint& to);
OpacityCurve withPointAdded(OpacityCurve curve, const OpacityPoint& point);
OpacityCurve withPointRemoved(OpacityCurve curve, std::size_t point); // unless only two are left
// Maps the values from one range to another.
OpacityCurve rescaled(OpacityCurve curve, const StackValues& from, const StackValues& to);

struct OpacityPreset {
    const char* label;   // "Dense parts"
    const char* summary; // for tooltips
    OpacityCurve (*curve)(const StackValues& range);

    QString text() const;
    QString description() const;
};

// The first one is the default.
const std::array<OpacityPreset, 5>& opacityPresets();

} // namespace ui
