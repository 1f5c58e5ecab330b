// SPDX-License-Identifier: GPL-3.0-or-later
// The single table of the ramp filter's windows, with names and formulas.
#pragma once

#include "engine/request/setting.h"

#include <span>

namespace engine
{

struct FilterWindow {
    Window window;
    const char* id;      // "ram-lak"
    const char* label;   // "Ram-Lak"
    const char* summary; // what it does, in a few words
    bool hasOrder;
    bool endsAtCutoff; // the factor is 0 above d/2; false: d/2 is where it is one half
    // Factor of the ramp at f cycles per sample, 0 to 0.5. d: the cut-off as a fraction of Nyquist, (0, 1].
    double (*gain)(double f, double d, int order);
};

std::span<const FilterWindow> filterWindows();
const FilterWindow& filterWindow(Window window);

} // namespace engine
