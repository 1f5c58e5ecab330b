// SPDX-License-Identifier: GPL-3.0-or-later
// `benchmark --card`: what this machine does, on one page.
#pragma once

#include "engine/measure/machine_card.h"

namespace cli
{

class ReportFile;

// Measures, prints, writes the report, and returns the exit status.
int measuredCard(const engine::CardOptions& options, ReportFile& report, const std::stop_token& stop);

} // namespace cli
