// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a session as a file: PDF, HTML or JSON.
#pragma once

#include "engine/io/files/protected_inputs.h"
#include "ui/background/background_task.h"
#include "ui/report/command_line.h"
#include "ui/report/session_pictures.h"
#include "ui/report/session_results.h"

namespace ui
{

// Writes the file under a temporary name, and renames it when complete. Runs in any thread. Throws
// engine::Error(output) and (cancelled).
void writeSessionReport(const QString& path, SessionResults results, const SessionDrawings& drawings, bool overwrite,
                        const BackgroundTask::Progress& progress, const std::stop_token& stop);

// Runs sinoscope --report FILE.pdf SESSION.sinoscope. Throws engine::Error.
void runSessionReport(const StartOptions& options, const std::function<void(const QString&)>& line,
                      const std::stop_token& stop);

} // namespace ui
