// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated scans offered in the menu.
#pragma once

#include "engine/scan/phantom.h"

#include <QString>

#include <vector>

namespace ui
{

struct Sample {
    QString id;    // "shepp-logan", as --sample takes it
    QString label; // as the menu shows it
    engine::Simulation simulation;
};

std::vector<Sample> samples();

} // namespace ui
