// SPDX-License-Identifier: GPL-3.0-or-later
// Normalisation by the air beside the object: brings it to zero attenuation in every projection, for beams whose
// intensity changes between two flat fields.
#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>

namespace engine
{

namespace
{

constexpr const char *airId = "air", *airWidthId = "air-width";
std::span<const StepField> airParameters()
{
    static const std::vector<StepField> fields =
        stepFields({{.id = airId,
                     .label = "Air",
                     .summary = "Margins of each projection that are air and are brought to a transmission of 1",
                     .kind = FieldKind::choice,
                     .choices = {{"off", "As recorded", "The air stays as the flat-field correction left it"},
                                 {"both", "Both margins", "Subtracts a straight line between the margins"},
                                 {"left", "Left margin",
                                  "Subtracts the mean of the left margin: for objects that fill the right one"},
                                 {"right", "Right margin",
                                  "Subtracts the mean of the right margin: for objects that fill the left one"}}},
                    {.id = airWidthId,
                     .label = "Width of the air",
                     .summary = "Number of air bins in each margin",
                     .unit = "bins",
                     .form = "BINS",
                     .kind = FieldKind::whole,
                     .least = 1,
                     .most = 10000,
                     .use = {.standard = 10}}});
    return fields;
}

double meanOf(std::span<const float> values)
{
    double sum = 0;
    for (const float value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

// Subtracts the air level from a line. left and right: whether that margin is air. With both, subtracts the straight
// line through the mean values of the margins, each placed at the middle of its margin.
void takeAirAway(std::span<float> line, int width, bool left, bool right)
{
    const int bins = static_cast<int>(line.size());
    width = std::min(width, bins);
    const double before = left ? meanOf(line.first(static_cast<std::size_t>(width))) : 0;
    const double behind = right ? meanOf(line.last(static_cast<std::size_t>(width))) : 0;
    const bool slopes = left && right && bins > width;
    const double level = left ? before : behind, rise = slopes ? (behind - before) / (bins - width) : 0;
    for (int bin = 0; bin < bins; ++bin)
        line[bin] -= static_cast<float>(level + rise * (bin - (width - 1) / 2.0));
}

StepAtWork startAir(const StepArguments& arguments)
{
    const std::string way = arguments.planned.way();
    const int width = static_cast<int>(arguments.planned.value(airWidthId));
    const bool left = way != "right", right = way != "left";
    const auto lines = std::make_shared<std::atomic<long long>>(0);
    const auto apply = [=](LineAtWork& line) {
        takeAirAway(line.values, width, left, right);
        ++*lines;
    };
    const auto notes = [lines, margins = left && right ? "both margins"
                                         : left        ? "the left margin"
                                                       : "the right margin"] {
        return std::vector<Note>{{"air", *lines, "row of a projection had", "rows of projections had",
                                  std::string(" the air at ") + margins + " brought to a transmission of 1."}};
    };
    return {.apply = apply, .notes = notes};
}

} // namespace

extern constinit const Step airStep{
    .id = "air",
    .label = "Air",
    .summary = "Brings the air at the margins of each projection to a transmission of 1.",
    .reference = "normalize_bg of TomoPy, in line integrals: Gürsoy and others, TomoPy, J. Synchrotron Rad. 21, "
                 "1188, 2014",
    .from = {.quantity = Quantity::attenuation, .gaps = Gaps::mended},
    .isByDefault = false,
    .parameters = airParameters,
    .start = startAir,
};

} // namespace engine
