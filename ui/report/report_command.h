// SPDX-License-Identifier: GPL-3.0-or-later
// The command sinoscope [SCAN] --report FOLDER, or FILE for a session: no window, progress on standard output.
#pragma once

#include "ui/report/command_line.h"

#include <stop_token>

namespace ui
{

// Writes the report. Throws engine::Error.
void runReport(const StartOptions& options, std::stop_token stop = {});

} // namespace ui
