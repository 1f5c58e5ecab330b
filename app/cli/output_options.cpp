// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_options.h"

#include "app/cli/options.h"
#include "engine/base/error.h"

#include <CLI/CLI.hpp>

namespace cli
{

void addOutputOptions(CLI::App& command, OutputOptions& options)
{
    command
        .add_option("--output-type", options.type,
                    "32-bit floats, or 16-bit values: IEEE halves, or whole numbers with their range stored")
        ->type_name("float32|half|uint16")
        ->capture_default_str()
        ->check(takenBy(engine::outputTypeFromText));
    command
        .add_option("--output-range", options.range,
                    "Values of the whole numbers 0 and 65535; default: the range of the middle slice and 5 % more")
        ->type_name("LEAST:MOST")
        ->check(takenBy(engine::valueRangeFromText));
    command
        .add_option("--compression", options.compression,
                    "Compression of the files, on all cores: none (fastest), deflate, or deflate:LEVEL up to 9")
        ->type_name("none|deflate[:1-9]")
        ->capture_default_str()
        ->check(takenBy(engine::compressionFromText));
}

engine::OutputChoice outputChoice(const OutputOptions& options)
{
    engine::OutputChoice choice;
    choice.type = engine::outputTypeFromText(options.type);
    choice.deflateLevel = engine::compressionFromText(options.compression);
    if (options.range.empty())
        return choice;
    if (choice.type != engine::OutputFormat::Type::uint16)
        throw engine::Error(engine::ErrorKind::badRequest,
                            "--output-range: " + options.type + " has no range; use it with --output-type uint16");
    choice.range = engine::valueRangeFromText(options.range);
    return choice;
}

} // namespace cli
