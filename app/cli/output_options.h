// SPDX-License-Identifier: GPL-3.0-or-later
// How reconstructed values are stored: --output-type, --output-range, --compression.
#pragma once

#include "engine/volume/stored_values.h"

#include <string>

namespace CLI
{
class App;
}

namespace cli
{

struct OutputOptions {
    std::string type = "float32", range, compression = "none";
};

void addOutputOptions(CLI::App& command, OutputOptions& options);

engine::OutputChoice outputChoice(const OutputOptions& options); // throws Error(badRequest)

} // namespace cli
