// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a cone beam, for commands that open or simulate a scan.
#pragma once

#include "engine/scan/cone_options.h"

#include <string>

namespace CLI
{
class App;
}

namespace cli
{

// Adds --source-axis and the other options of a cone beam to the command; if `volume`, also those of the volume
// (--voxel, --size). Values given are written into `options`.
void addConeOptions(CLI::App& command, engine::ConeOptions& options, bool volume, const std::string& group);

} // namespace cli
