// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated scans offered in the menu.
#pragma once

#include "engine/simulate/phantom.h"

#include <QString>

#include <vector>

namespace ui
{

struct Sample {
    QString id;    // as in --sample shepp-logan
    QString label; // in the menu
    engine::Simulation simulation;
    QString kind = {}; // "Noisy scan": its button on the start page; empty: only in the menu
};

std::vector<Sample> samples();

} // namespace ui
