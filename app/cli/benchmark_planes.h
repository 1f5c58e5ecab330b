// SPDX-License-Identifier: GPL-3.0-or-later
// `benchmark --planes`: planes from projections that are cached.
#pragma once

#include "engine/measure/plane_benchmark.h"

namespace cli
{

class ReportFile;

// Measures, prints, writes the report, and returns the exit status.
int measuredPlanes(const engine::PlaneBenchmarkOptions& options, ReportFile& report, const std::stop_token& stop);

} // namespace cli
