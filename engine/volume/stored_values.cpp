// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/stored_values.h"

#include "engine/base/error.h"
#include "engine/reconstruct/reconstruct.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace engine
{

namespace
{

std::string printed(double value, int digits)
{
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.*g", digits, value);
    return text.data();
}

ValueRange rangeOfMiddle(Request request, std::stop_token stop)
{
    request.place.setSlices({request.place.slices().first + request.place.slices().count / 2, 1});
    const Reconstruction made = Reconstructor().run(request, {}, std::move(stop));
    ValueRange range{INFINITY, -INFINITY};
    for (const float value : made.image.values)
        if (std::isfinite(value)) {
            range.least = std::min<double>(range.least, value);
            range.most = std::max<double>(range.most, value);
        }
    if (!(range.most > range.least))
        throw Error(ErrorKind::badRequest, "Whole numbers need a range: slice " +
                                               std::to_string(request.place.slices().first) +
                                               " has no two different values to derive it from. Give it" +
                                               hint("output-range", "LEAST:MOST") + ".");
    const double more = 0.05 * (range.most - range.least);
    // The range is rounded outwards to three digits.
    const double scale = std::pow(10, 2 - std::floor(std::log10(range.most - range.least)));
    return {std::floor((range.least - more) * scale) / scale, std::ceil((range.most + more) * scale) / scale};
}

} // namespace

OutputFormat outputFormat(const OutputChoice& choice, const Request& request, std::stop_token stop)
{
    OutputFormat format{.type = choice.type, .range = {}, .deflateLevel = choice.deflateLevel};
    if (choice.type == OutputFormat::Type::uint16)
        format.range = choice.range ? *choice.range : rangeOfMiddle(request, std::move(stop));
    return format;
}

void judgeGaps(const OutputFormat& format, Reconstruction& made)
{
    if (!made.request.place.plane())
        return;
    const auto gaps = std::ranges::count_if(made.image.values, [](float value) { return !std::isfinite(value); });
    if (gaps == 0)
        return;
    const std::size_t pixels = made.image.values.size();
    const std::string text = std::to_string(gaps) + " of " + std::to_string(pixels) + " pixels of the plane (" +
                             printed(100 * double(gaps) / double(pixels), 3) +
                             " %) have no value, since they lie beyond the slices or meet rows that can't be read.";
    if (format.type == OutputFormat::Type::uint16)
        throw Error(ErrorKind::badRequest, text + " Whole numbers can't show that; store floats" +
                                               hint("output-type", "half") + ", or a smaller plane.");
    made.notes.emplace_back(text);
}

StorageNote storageNote(const OutputFormat& format, bool isRangeGuessed, long long changed, const Reconstruction& made)
{
    const double share = double(changed) / (double(made.grid.slices) * made.grid.width * made.grid.height);
    const auto counted = [&](const char* fate) {
        return changed == 0 ? std::string()
                            : ' ' + std::to_string(changed) + (changed == 1 ? " value (" : " values (") +
                                  printed(100 * share, 3) + " %) " + fate;
    };
    constexpr double many = 0.01;
    switch (format.type) {
    case OutputFormat::Type::half:
        return {"Values are stored as half-precision floats: 11 significant bits for magnitudes from 6.1e-5 to 65504, "
                "fewer for smaller ones." +
                    counted("beyond 65504 became infinite."),
                share > many};
    case OutputFormat::Type::uint16:
        return {"Values from " + printed(format.range.least, 4) + " to " + printed(format.range.most, 4) +
                    (!isRangeGuessed              ? ""
                     : made.request.place.plane() ? " (the range of the plane and 5 % more)"
                                                  : " (the range of the middle slice and 5 % more)") +
                    " are stored as 0 to 65535." + counted("beyond this range were clipped to it."),
                share > many};
    default:
        return {};
    }
}

} // namespace engine
