// SPDX-License-Identifier: GPL-3.0-or-later
// The command line that repeats what the window shows.
#pragma once

#include "engine/io/open/open_scan.h"
#include "engine/reconstruct/reconstruction.h"
#include "engine/simulate/phantom.h"

#include <QString>

#include <optional>

namespace ui
{

// Returns a shell command: sinoscope-cli reconstruct …, after sinoscope-cli phantom … if the scan is simulated. The
// axis is the one that was used. name: of the output, without a suffix.
QString repeatCommand(const engine::Reconstruction& shown, const engine::OpenOptions& opened,
                      const std::optional<engine::Simulation>& simulation, const QString& name);

// The same as separate commands. `scan` is empty unless the scan is simulated.
struct RepeatCommands {
    QString scan, reconstruct;
};
RepeatCommands repeatCommands(const engine::Reconstruction& shown, const engine::OpenOptions& opened,
                              const std::optional<engine::Simulation>& simulation, const QString& name);

// Returns "--values counts --darks 'dark frames'"; empty if the scan is opened without options.
QString openedText(const engine::OpenOptions& opened);
QString quotedForShell(const QString& word);

} // namespace ui
