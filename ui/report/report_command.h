// SPDX-License-Identifier: GPL-3.0-or-later
// sinoscope [SCAN] --report FOLDER, or FILE of a session: no window, lines on standard output.
#pragma once

#include "ui/report/command_line.h"

namespace ui
{

// Throws engine::Error.
void runReport(const StartOptions& options);

} // namespace ui
