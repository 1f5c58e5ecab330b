// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a session's report, and its JSON.
#pragma once

#include "ui/report/page.h"
#include "ui/report/session_pictures.h"
#include "ui/report/session_results.h"

namespace ui
{

// Runs in any thread. Throws engine::Error(cancelled).
Page sessionPage(const SessionResults& results, const SessionDrawings& drawings, const std::stop_token& stop = {});
// Returns engine::comparedSettingsJson and adds date, machine, lines, areas, hidden settings, and for each setting
// its description, noise and runs.
QByteArray sessionReportJson(const SessionResults& results);

} // namespace ui
