// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_parts.h"

#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/spelling.h"
#include "engine/base/units.h"
#include "engine/compare/unit_guess.h"
#include "engine/io/files/protected_inputs.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace cli
{

namespace
{

std::string sizeText(const engine::Volume& image)
{
    return std::to_string(image.width) + " × " + std::to_string(image.height);
}

} // namespace

std::string figure(double value)
{
    return std::isnan(value) ? "–" : number(value, 6);
}

engine::Line lineFromText(const std::string& text)
{
    std::vector<double> ends;
    for (const std::string& part : CLI::detail::split(text, ','))
        ends.push_back(engine::realWithin(part, "line", -1e6, 1e6));
    if (ends.size() != 4)
        throw engine::Error(engine::ErrorKind::badRequest,
                            "bad line '" + text +
                                "'; give X0,Y0,X1,Y1 in pixels: columns from the left, rows from the "
                                "top, both from 0 at the first pixel's centre");
    return {ends[0], ends[1], ends[2], ends[3]};
}

Limits limitsFromText(const std::string& text)
{
    Limits limits;
    std::vector<std::string> known;
    for (const engine::MetricRow& row : engine::metricRows())
        if (row.form == engine::MetricRow::Form::difference)
            known.emplace_back(row.id);
    for (const std::string& part : CLI::detail::split(text, ',')) {
        const std::size_t equals = part.find('=');
        const std::string id = part.substr(0, equals) == "max" ? "maximum" : part.substr(0, equals);
        if (std::ranges::find(known, id) == known.end())
            throw engine::Error(engine::ErrorKind::badRequest, engine::unknownText("unknown figure", id, known));
        engine::require(equals != std::string::npos, "'" + part + "' has no limit; give " + id + "=NUMBER");
        limits.emplace_back(&*std::ranges::find(engine::metricRows(), id, &engine::MetricRow::id),
                            engine::realWithin(part.substr(equals + 1), "limit of " + id, 0, 1e300));
    }
    return limits;
}

int statusOf(const engine::Metrics& metrics, const CompareOptions& options)
{
    int status = 0;
    if (!options.failAbove.empty())
        for (const auto& [row, limit] : limitsFromText(options.failAbove))
            if (!(metrics.*row->value <= limit)) {
                std::cerr << "warning: " << row->label << " is " << figure(metrics.*row->value)
                          << ", above the limit of " << number(limit, 6) << '\n';
                status = engine::doubtedStatus;
            }
    return status;
}

std::string notFiniteText(const engine::Metrics& metrics)
{
    return std::to_string(metrics.notFinite) + (metrics.notFinite == 1 ? " pixel, at (" : " pixels, the first at (") +
           std::to_string(metrics.notFiniteAt.column) + ", " + std::to_string(metrics.notFiniteAt.row) +
           "): the difference can't be measured; leave " + (metrics.notFinite == 1 ? "it" : "them") +
           " out (--disc, --region or --area)";
}

void requireInside(const CompareOptions& options, const engine::Volume& image)
{
    if (!options.region.empty()) {
        const engine::Region region = engine::regionFromText(options.region);
        engine::require(region.column <= image.width - region.width && region.row <= image.height - region.height,
                        "--region: " + options.region + " reaches beyond the image of " + sizeText(image) + " pixels");
    }
    if (!options.area.empty())
        engine::require(!engine::reachesBeyond(engine::areaFromText(options.area), image.width, image.height),
                        "--area: '" + options.area + "' reaches beyond the image of " + sizeText(image) + " pixels");
    if (!options.line.empty()) {
        const engine::Line line = lineFromText(options.line);
        for (const auto& [x, y] : {std::pair(line.x0, line.y0), std::pair(line.x1, line.y1)})
            engine::require(x >= -0.5 && x <= image.width - 0.5 && y >= -0.5 && y <= image.height - 0.5,
                            "--line: (" + number(x, 6) + ", " + number(y, 6) + ") lies beyond the image of " +
                                sizeText(image) + " pixels");
    }
}

void warnOfPixels(const CompareOptions& options, const engine::PixelSize& image, const engine::PixelSize& reference)
{
    constexpr double same = 1e-4, umPerMm = 1000;
    const bool isKnown = image.mm && reference.mm;
    const std::optional<double> one = isKnown ? image.mm : image.bins, other = isKnown ? reference.mm : reference.bins;
    if (!one || !other || !(*one > 0) || !(*other > 0) || std::abs(*one / *other - 1) < same)
        return;
    const auto width = [&](double size) {
        return isKnown ? number(size * umPerMm, 6) + " µm" : number(size, 6) + (size == 1 ? " bin" : " bins");
    };
    std::cerr << "warning: the pixels of " << options.image << " are " << width(*one) << " wide and those of "
              << options.reference << ' ' << width(*other)
              << "; they are compared one by one, as if they were of the same size\n";
}

double factorOf(const CompareOptions& options, bool isGiven, const engine::StoredSlice& image,
                const engine::StoredSlice& reference)
{
    const std::optional<double> pixelMm = image.pixel.mm ? image.pixel.mm : reference.pixel.mm;
    if (!isGiven) {
        if (!image.unit.empty() && !reference.unit.empty() && image.unit != reference.unit)
            std::cerr << "warning: " << options.image << " is in " << plain(image.unit) << " and " << options.reference
                      << " in " << plain(reference.unit) << "; the values are compared as they are\n";
        const auto fitting = reference.unit.empty() ? engine::unitThatFits(reference.image.slice(0),
                                                                           image.image.slice(0), image.unit, pixelMm)
                                                    : std::nullopt;
        if (fitting)
            std::cerr << "note: " << options.reference << " specifies no unit and is compared as it is; it would fit "
                      << options.image << ", which is in " << plain(image.unit) << ", if it is in " << *fitting
                      << " (--reference-unit " << *fitting << ")\n";
        return 1;
    }
    const auto requireUnit = [](const std::string& unit, const std::string& file) {
        engine::require(!unit.empty(), file + " specifies no unit; give it after the name, such as " + file + "@1/mm");
    };
    requireUnit(image.unit, options.image);
    requireUnit(reference.unit, options.reference);
    const auto factor = engine::inverseLengthFactor(reference.unit, image.unit, pixelMm);
    engine::require(factor.has_value(), options.reference + " can't be converted from " + reference.unit + " to " +
                                            image.unit + ", because " + options.image +
                                            " doesn't specify the size of its pixels");
    return *factor;
}

engine::Mask maskOf(const CompareOptions& options)
{
    engine::Mask mask;
    if (options.disc > 0)
        mask.discRadius = options.disc;
    if (!options.region.empty())
        mask.region = engine::regionFromText(options.region);
    if (!options.area.empty())
        mask.area = engine::areaFromText(options.area);
    return mask;
}

void noteOfAxes(const CompareOptions& options, const engine::StoredSlice& reference)
{
    std::cerr << "note: the dimensions of " << options.reference << " are interpreted as " << reference.axes
              << ", because its slices then have the size of those of " << options.image
              << " (otherwise give --data-axes)\n";
}

} // namespace cli
