// SPDX-License-Identifier: GPL-3.0-or-later
// The readings of the helper program, sinoscope-check, and the program itself.
#pragma once

#include "engine/io/check/readings.h"
#include "engine/io/frames/open_options.h"

namespace engine
{

Reading readingOfScan(const std::filesystem::path& path, const OpenOptions& options);

// The helper program: does the reading that standard input asks for, within limits, and answers on standard output.
// The exit status.
int runHelper();

} // namespace engine
