// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a scan as DXchange or NXtomo, under a temporary name, renamed when complete.
#pragma once

#include "engine/simulate/phantom.h"

#include <filesystem>
#include <functional>
#include <stop_token>

namespace engine
{

enum class ScanFormat { dxchange, nxtomo };

// Throws Error(output) if the file exists and overwrite is false, or if it can't be written.
// simulation: stored beside the data if the scan was simulated; else null.
void writeScan(const Scan& scan, const Simulation* simulation, ScanFormat format, const std::filesystem::path& path,
               bool overwrite, const std::function<void(double)>& progress = {}, std::stop_token stop = {});

} // namespace engine
