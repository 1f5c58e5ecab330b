// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a cone beam, for commands that open a scan or make one.
#pragma once

#include "engine/scan/cone_options.h"

#include <string>

namespace CLI
{
class App;
}

namespace cli
{

// --source-axis, …; with the volume's, --voxel and --size, where `volume` says so. What is given goes into `options`.
void addConeOptions(CLI::App& command, engine::ConeOptions& options, bool volume, const std::string& group);

} // namespace cli
