// How reconstructed values are to be stored: --output-type, --output-range, --compression.
#pragma once

#include "engine/io/output_format.h"
#include "engine/reconstruction.h"

#include <stop_token>
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

// Where whole numbers are asked for without a range, it is that of the request's middle slice and 5 % more on each
// side. Throws Error.
engine::OutputFormat outputFormat(const OutputOptions& options, const engine::Request& request, std::stop_token stop);

// What the user has to know of it; empty for floats. changed: values that it could not hold, and their share.
std::string noteOf(const engine::OutputFormat& format, bool isGuessed, long long changed, double share);

} // namespace cli
