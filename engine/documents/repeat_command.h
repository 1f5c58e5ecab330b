// SPDX-License-Identifier: GPL-3.0-or-later
// The command line that repeats an image.
#pragma once

#include "engine/io/open/open_scan.h"
#include "engine/reconstruct/reconstruction.h"
#include "engine/simulate/phantom.h"

#include <optional>
#include <string>

namespace engine
{

// Returns a shell command: sinoscope-cli reconstruct …, after sinoscope-cli phantom … if the scan is simulated. The
// axis is the one that was used. name: of the output, without a suffix.
std::string repeatCommand(const Reconstruction& shown, const OpenOptions& opened,
                          const std::optional<Simulation>& simulation, const std::string& name);

// The same as separate commands. `scan` is empty unless the scan is simulated.
struct RepeatCommands {
    std::string scan, reconstruct;
};
RepeatCommands repeatCommands(const Reconstruction& shown, const OpenOptions& opened,
                              const std::optional<Simulation>& simulation, const std::string& name);

// Returns "--values counts --darks 'dark frames'"; empty if the scan is opened without options.
std::string openedText(const OpenOptions& opened);
std::string quotedForShell(const std::string& word);

} // namespace engine
