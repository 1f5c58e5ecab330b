#include "app/cli/output_options.h"

#include "app/cli/options.h"
#include "app/cli/text.h"
#include "engine/error.h"
#include "engine/reconstruct.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

namespace cli
{

using engine::OutputFormat;

namespace
{

engine::ValueRange rangeOfMiddle(engine::Request request, std::stop_token stop)
{
    request.place.slices = {request.place.slices.first + request.place.slices.count / 2, 1};
    const engine::Reconstruction made = engine::Reconstructor().run(request, {}, std::move(stop));
    engine::ValueRange range{INFINITY, -INFINITY};
    for (const float value : made.image.values)
        if (std::isfinite(value)) {
            range.least = std::min<double>(range.least, value);
            range.most = std::max<double>(range.most, value);
        }
    if (!(range.most > range.least))
        throw engine::Error(engine::ErrorKind::badRequest,
                            "--output-type uint16: slice " + std::to_string(request.place.slices.first) +
                                " has no two values; give the range with --output-range LEAST:MOST");
    const double more = 0.05 * (range.most - range.least);
    const double scale = std::pow(10, 2 - std::floor(std::log10(range.most - range.least))); // to three digits of it
    return {std::floor((range.least - more) * scale) / scale, std::ceil((range.most + more) * scale) / scale};
}

} // namespace

void addOutputOptions(CLI::App& command, OutputOptions& options)
{
    command
        .add_option(
            "--output-type", options.type,
            "32-bit floats, or half the bytes: IEEE halves, or whole numbers of a range that is stored with them")
        ->type_name("float32|half|uint16")
        ->capture_default_str()
        ->check(takenBy(engine::outputTypeFromText));
    command
        .add_option("--output-range", options.range,
                    "What the whole numbers 0 and 65535 stand for; that of the middle slice and 5 % more when left out")
        ->type_name("LEAST:MOST")
        ->check(takenBy(engine::valueRangeFromText));
    command
        .add_option("--compression", options.compression,
                    "Of the files, by all cores: none (fastest), deflate, or deflate:LEVEL up to 9")
        ->type_name("none|deflate[:1-9]")
        ->capture_default_str()
        ->check(takenBy(engine::compressionFromText));
}

OutputFormat outputFormat(const OutputOptions& options, const engine::Request& request, std::stop_token stop)
{
    OutputFormat format;
    format.type = engine::outputTypeFromText(options.type);
    format.deflateLevel = engine::compressionFromText(options.compression);
    if (format.type != OutputFormat::Type::uint16 && !options.range.empty())
        throw engine::Error(engine::ErrorKind::badRequest,
                            "--output-range: " + options.type + " takes any value; it is for --output-type uint16");
    if (format.type == OutputFormat::Type::uint16)
        format.range =
            options.range.empty() ? rangeOfMiddle(request, std::move(stop)) : engine::valueRangeFromText(options.range);
    return format;
}

std::string noteOf(const OutputFormat& format, bool isGuessed, long long changed, double share)
{
    const auto counted = [&](const char* fate) {
        return changed == 0 ? std::string()
                            : ' ' + std::to_string(changed) + (changed == 1 ? " value (" : " values (") +
                                  number(100 * share, 3) + " %) " + fate;
    };
    if (format.type == OutputFormat::Type::half)
        return "Values are stored as halves: 11 binary digits from 6.1e-5 to 65504, fewer below." +
               counted("beyond 65504 became infinite.");
    if (format.type == OutputFormat::Type::uint16)
        return "Values from " + number(format.range.least) + " to " + number(format.range.most) +
               (isGuessed ? " (the middle slice's, and 5 % more)" : "") + " are stored as 0 to 65535." +
               counted("beyond them became the ends.");
    return {};
}

} // namespace cli
