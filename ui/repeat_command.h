// The command line that repeats what the window shows.
#pragma once

#include "engine/io/open_scan.h"
#include "engine/reconstruction.h"
#include "engine/scan/phantom.h"

#include <QString>

#include <optional>

namespace ui
{

// For a shell: sinoscope-cli reconstruct …, after sinoscope-cli phantom … where the scan is simulated.
// The axis is the one that was used. name: of the output, without a suffix.
QString repeatCommand(const engine::Reconstruction& shown, const engine::OpenOptions& opened,
                      const std::optional<engine::Simulation>& simulation, const QString& name);

} // namespace ui
