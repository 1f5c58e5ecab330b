// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/base/units.h"
#include "engine/compare/metrics.h"
#include "engine/compare/profile.h"
#include "engine/compare/spectra.h"
#include "engine/compare/statistics.h"
#include "engine/compare/unit_guess.h"
#include "engine/data/plane.h"
#include "engine/documents/report.h"
#include "engine/io/slices/stored_slices.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

namespace cli
{

namespace
{

struct CompareOptions {
    std::string image, reference;
    std::string axes; // order of the axes of volumes that do not state it
    std::string unit; // of the reference; empty: as its file specifies
    std::optional<int> slice;
    double disc = 0; // 0: not given
    std::string region, area;
    std::string profile, line;
    std::string json;
    bool overwrite = false;
};

std::string quantities()
{
    std::vector<std::string> labels;
    for (const engine::MetricRow& row : engine::metricRows())
        labels.push_back(row.label);
    return joined(labels, ", ");
}

std::string sizeText(const engine::Volume& image)
{
    return std::to_string(image.width) + " × " + std::to_string(image.height);
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

// Returns one line of text per sample along `line`; along the middle row if `line` is empty. The difference is taken
// before rounding.
std::string profileCsv(const engine::Volume& image, const engine::Volume& reference, const std::string& line)
{
    const double middle = (image.height - 1) / 2.0;
    const engine::Line along = line.empty() ? engine::Line{0, middle, image.width - 1.0, middle} : lineFromText(line);
    const engine::Profile a = engine::profileAlong(image.slice(0), image.width, image.height, along);
    const engine::Profile b = engine::profileAlong(reference.slice(0), image.width, image.height, along);
    std::string csv = "position [pixels],image,reference,difference";
    for (std::size_t i = 0; i < a.value.size(); ++i)
        csv += '\n' + number(a.position[i], 6) + ',' + number(a.value[i], 6) + ',' + number(b.value[i], 6) + ',' +
               number(a.value[i] - b.value[i], 6);
    return csv;
}

std::string figure(double value)
{
    return std::isnan(value) ? "–" : number(value, 6);
}

// Describes the pixels that are not finite numbers and how to exclude them. A single one makes every figure of the
// difference meaningless.
std::string notFiniteText(const engine::Metrics& metrics)
{
    return std::to_string(metrics.notFinite) + (metrics.notFinite == 1 ? " pixel, at (" : " pixels, the first at (") +
           std::to_string(metrics.notFiniteAt.column) + ", " + std::to_string(metrics.notFiniteAt.row) +
           "): the difference can't be measured; leave " + (metrics.notFinite == 1 ? "it" : "them") +
           " out (--disc, --region or --area)";
}

std::vector<std::pair<std::string, std::string>>
linesOf(const engine::Metrics& metrics, const engine::AreaStatistics& image, const engine::AreaStatistics& reference)
{
    std::vector<std::pair<std::string, std::string>> lines = {
        {"pixels", std::to_string(metrics.pixels)},
        {"gaps", metrics.gaps > 0 ? std::to_string(metrics.gaps) + ", without a value in both images; left out" : ""},
        {"not finite", metrics.notFinite > 0 ? notFiniteText(metrics) : ""}};
    for (const engine::MetricRow& row : engine::metricRows()) {
        std::string text = figure(metrics.*row.value);
        if (row.form == engine::MetricRow::Form::decibels && !std::isnan(metrics.*row.value))
            text += " dB";
        if (row.ofRange && metrics.referenceRange > 0)
            text += " (" + number(100 * metrics.*row.value / metrics.referenceRange, 4) + " % of the range)";
        lines.emplace_back(row.label, text);
    }
    lines.emplace_back("means", figure(image.mean) + " and " + figure(reference.mean));
    lines.emplace_back("deviations", figure(image.deviation) + " and " + figure(reference.deviation));
    lines.emplace_back("noise", figure(image.noise) + " and " + figure(reference.noise) +
                                    " (standard deviation, estimated away from edges)");
    lines.emplace_back("range", figure(metrics.referenceRange) + " (of the reference)");
    return lines;
}

// Throws Error(badRequest) if the region or area given extends beyond the image.
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

// Warns when the two slices have equally many pixels but different pixel sizes: they show different parts of the
// object.
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

// Returns where an image lies as its file specifies, in the form of --plane; empty if it doesn't.
std::string placeOf(const engine::StoredSlice& image)
{
    if (image.recordedPlane.empty())
        return image.recordedSlice ? "z=" + std::to_string(*image.recordedSlice) : std::string();
    try {
        const engine::Plane plane = engine::planeFromText(image.recordedPlane, {});
        return engine::axisOf(plane) ? engine::shortText(plane)
                                     : image.recordedPlane.substr(0, image.recordedPlane.find(";width="));
    } catch (const engine::Error&) { // another program's text
        return {};
    }
}

void noteOfPlaces(const CompareOptions& options, const engine::StoredSlice& image, const engine::StoredSlice& reference)
{
    const std::string one = placeOf(image), other = placeOf(reference);
    if (!one.empty() && !other.empty() && one != other)
        std::cerr << "note: " << options.image << " shows the place " << plain(one) << " and " << options.reference
                  << ' ' << plain(other) << "; they are compared pixel by pixel, as if it were the same place\n";
}

// Converts the reference to the unit of the image if the user has given the unit of either. Otherwise warns about
// different units, and names the unit in which a reference without one would fit.
void convertReference(const CompareOptions& options, bool isGiven, const engine::StoredSlice& image,
                      engine::StoredSlice& reference)
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
        return;
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
    for (float& value : reference.image.values)
        value = static_cast<float>(value * *factor);
}

int compareFiles(const CompareOptions& options)
{
    if (options.json == "-" && options.profile == "-")
        throw engine::Error(engine::ErrorKind::badRequest,
                            "--json and --profile can't both have standard output; name a file for one");
    requireDistinct({{"--json", options.json == "-" ? "" : options.json},
                     {"--profile", options.profile == "-" ? "" : options.profile}});
    ReportFile report(options.json, options.overwrite);
    ReportFile profile(options.profile, options.overwrite, "--profile", "p");
    engine::SlicesPath pathA = engine::slicesPathFromText(options.image),
                       pathB = engine::slicesPathFromText(options.reference);
    for (engine::SlicesPath* path : {&pathA, &pathB})
        if (path->axes.empty() && !options.axes.empty())
            path->axes = engine::volumeAxesFromText(options.axes);
    if (!options.unit.empty())
        pathB.unit = engine::imageUnitFromText(options.unit);
    engine::ProtectedInputs inputs;
    inputs.add({pathA.file, "A"});
    inputs.add({pathB.file, "B"});
    report.refuse(inputs);
    profile.refuse(inputs);
    const engine::StoredSlice a = engine::readSlice(pathA, options.slice);
    const engine::SliceSize size{a.image.width, a.image.height};
    engine::StoredSlice b = engine::readSlice(pathB, options.slice, std::span(&size, 1));
    if (!b.axes.empty())
        std::cerr << "note: the dimensions of " << options.reference << " are interpreted as " << b.axes
                  << ", because its slices then have the size of those of " << options.image
                  << " (otherwise give --data-axes)\n";
    convertReference(options, !pathA.unit.empty() || !pathB.unit.empty(), a, b);
    const engine::Volume &image = a.image, &reference = b.image;
    warnOfPixels(options, a.pixel, b.pixel);
    noteOfPlaces(options, a, b);
    requireInside(options, image);
    engine::Mask mask;
    if (options.disc > 0)
        mask.discRadius = options.disc;
    if (!options.region.empty())
        mask.region = engine::regionFromText(options.region);
    if (!options.area.empty())
        mask.area = engine::areaFromText(options.area);
    const engine::Metrics metrics =
        engine::compareImages(image.slice(0), reference.slice(0), image.width, image.height, mask);
    const auto statisticsOf = [&](const engine::Volume& volume) {
        return engine::statisticsOf(volume.slice(0), volume.width, volume.height, mask);
    };
    const engine::AreaStatistics ofImage = statisticsOf(image), ofReference = statisticsOf(reference);
    if (!options.profile.empty())
        profile.write(profileCsv(image, reference, options.line));
    if (!options.json.empty()) // the spectra of a slice of 8192² pixels take a gigabyte
        report.write(engine::metricsJson(
            metrics, ofImage, ofReference,
            engine::spectraIfAny(image.slice(0), reference.slice(0), image.width, image.height, mask)));
    if (report.textWanted() && profile.textWanted())
        std::cout << listing(linesOf(metrics, ofImage, ofReference));
    return 0;
}

} // namespace

Command compareCommand(CLI::App& program)
{
    CLI::App* command =
        program.add_subcommand("compare", "Measure how much an image differs from a reference: " + quantities());
    command->footer("Examples:\n"
                    "  sinoscope-cli compare half.tif exact.tif\n"
                    "  sinoscope-cli compare half.tif exact.tif --disc 0.9 --json -\n"
                    "  sinoscope-cli compare volume.h5 other_rec.h5#/exchange/data --slice 40\n"
                    "  sinoscope-cli compare volume.h5 httomo.h5#/data --data-axes y:z:x --slice 40\n"
                    "  sinoscope-cli compare volume.h5 other_rec.mat --reference-unit 1/pixel\n"
                    "  sinoscope-cli compare half.tif exact.tif --area 'ellipse 256,200,40,25'\n"
                    "  sinoscope-cli compare half.tif exact.tif --profile row.csv\n"
                    "  sinoscope-cli compare half.tif exact.tif --profile line.csv --line 100,20,180.5,20");
    const auto options = std::make_shared<CompareOptions>();
    command
        ->add_option(
            "A", options->image,
            "Image or volume: a TIFF, a folder of TIFFs, an HDF5 or a MATLAB file; FILE#/DATA/SET selects its data set")
        ->required()
        ->type_name("FILE");
    command->add_option("B", options->reference, "Reference image or volume, in the same form")
        ->required()
        ->type_name("FILE");
    command
        ->add_option("--data-axes", options->axes,
                     "Order of the dimensions of HDF5 volumes that don't state it, such as y:z:x; default: z:y:x")
        ->type_name("AXES")
        ->check(takenBy(engine::volumeAxesFromText));
    command
        ->add_option("--reference-unit", options->unit,
                     "Unit of B's values if its file specifies none or a wrong one: 1/pixel, 1/mm or 1/cm; they are "
                     "converted to the unit of A")
        ->type_name("UNIT")
        ->check(takenBy(engine::imageUnitFromText));
    command->add_option("--slice", options->slice, "Slice of the volumes, from 0")
        ->type_name("K")
        ->check(wholeNumber(0, 1'000'000));
    command
        ->add_option("--disc", options->disc,
                     "Compare only inside a disc around the middle; 1 touches the nearer edges")
        ->type_name("R")
        ->check(realNumber(0, 1, false));
    addRegion(*command, options->region, "Compare only this rectangle of the image, in pixels");
    command->add_option("--area", options->area, "Compare only this area, in pixels: " + engine::areaForms())
        ->type_name("AREA")
        ->check(takenBy(engine::areaFromText));
    CLI::Option* profile =
        command
            ->add_option("--profile", options->profile,
                         "Write both images and their difference along a line as CSV; - is standard output")
            ->type_name("FILE")
            ->check(notEmpty());
    command->add_option("--line", options->line, "Line of the profile, in pixels; default: the row through the middle")
        ->type_name("X0,Y0,X1,Y1")
        ->check(takenBy(lineFromText))
        ->needs(profile);
    addJson(*command, options->json, options->overwrite);
    return {command, [options](std::stop_token) { return compareFiles(*options); }};
}

} // namespace cli
