// SPDX-License-Identifier: GPL-3.0-or-later
// The helper program, sinoscope-check: its readings, and the program itself.
#pragma once

#include "engine/io/check/readings.h"
#include "engine/io/frames/open_options.h"

namespace engine
{

Reading readingOfScan(const std::filesystem::path& path, const OpenOptions& options);

// Runs the helper program: does the reading that is requested on standard input, within limits, and writes the answer
// to standard output. Returns the exit status.
int runHelper();

} // namespace engine
