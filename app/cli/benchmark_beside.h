// SPDX-License-Identifier: GPL-3.0-or-later
// `benchmark --beside`: other programs on the same sinogram.
#pragma once

#include "engine/measure/others.h"

namespace cli
{

class ReportFile;

// Measures, prints, writes the report, and returns the exit status.
int benchmarkBeside(const engine::OthersOptions& options, ReportFile& report, const std::stop_token& stop);

// `benchmark --elsewhere`: lists engine::publishedGroups().
int listElsewhere(ReportFile& report);

} // namespace cli
