// SPDX-License-Identifier: GPL-3.0-or-later
// The bars of the page about speed: seconds of each stage, and the speed beside what each unit of the device allows.
#pragma once

#include "engine/base/device.h"
#include "engine/measure/limits.h"
#include "ui/speed/bar_rows.h"

namespace ui
{

// Returns a row for each stage, and one for the time that passed. timings: null before the first result. A stage that
// was reused is hatched, with the time that it took when it ran.
std::vector<BarRow> stageRows(const engine::Timings* timings);

// Returns a row for each limit: the share of the unit's rate that the kernel uses at this speed.
std::vector<BarRow> limitRows(double kernelGups, const std::vector<engine::Limit>& limits);

struct SliceProblem {
    int width = 0, height = 0, projections = 0;
};
// Another program on this machine.
struct OtherSpeed {
    QString name, device;
    double timesAsLong = 0; // as Sinoscope, on the same cores; 0: not measured
    int size = 0;           // pixels along each side of the slice
};
// Returns "A slice of 512 × 512 pixels from 804 projections every 26 ms; with filter and copies every 28 ms. On one
// core of this machine, Sinoscope is 34 times as fast as scikit-image 0.19 (a slice of 511 × 511 pixels)."; empty
// without a speed.
QString speedInWords(const SliceProblem& problem, double kernelGups, double totalGups, const OtherSpeed& other = {});

// Returns "1,980 MHz · 512 W · 54 °C · 12 of 139 GB"; only what is known.
QString stateText(const engine::DeviceState& state);

} // namespace ui
