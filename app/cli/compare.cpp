// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/compare_parts.h"
#include "app/cli/options.h"
#include "app/cli/reconstruct_options.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/compare/metrics.h"
#include "engine/compare/profile.h"
#include "engine/compare/spectra.h"
#include "engine/compare/statistics.h"
#include "engine/data/plane.h"
#include "engine/documents/report.h"
#include "engine/io/slices/slice_writer.h"
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

std::string quantities()
{
    std::vector<std::string> labels;
    for (const engine::MetricRow& row : engine::metricRows())
        labels.push_back(row.label);
    return joined(labels, ", ");
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

// Throws if options of volumes are given for images.
void requireNoVolume(const CompareOptions& options)
{
    for (const auto& [name, isGiven] :
         {std::pair("--slices", !options.slices.empty()), std::pair("--output", !options.output.empty()),
          std::pair("--csv", !options.csv.empty())})
        engine::require(!isGiven, std::string(name) + " is for two volumes; here single images are compared");
}

int compareFiles(const CompareOptions& options, std::stop_token stop)
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
    const bool isUnitGiven = !pathA.unit.empty() || !pathB.unit.empty();
    const engine::StoredSlices slicesA(pathA);
    const bool isVolume = !options.slice && slicesA.numbers().size() > 1;
    const engine::StoredSlice a = slicesA.read(isVolume ? std::optional(slicesA.numbers().front()) : options.slice);
    const engine::SliceSize size{a.image.width, a.image.height};
    const engine::StoredSlices slicesB(pathB, std::span(&size, 1));
    if (isVolume && slicesB.numbers().size() > 1)
        return compareVolumes(options, {slicesA, slicesB, inputs, isUnitGiven}, a, report, std::move(stop));
    if (isVolume)
        slicesA.read(); // throws: which of its slices is the image of B?
    requireNoVolume(options);
    engine::StoredSlice b = slicesB.read(options.slice);
    if (!b.axes.empty())
        noteOfAxes(options, b);
    const double factor = factorOf(options, isUnitGiven, a, b);
    if (factor != 1)
        for (float& value : b.image.values)
            value = static_cast<float>(value * factor);
    const engine::Volume &image = a.image, &reference = b.image;
    warnOfPixels(options, a.pixel, b.pixel);
    noteOfPlaces(options, a, b);
    requireInside(options, image);
    const engine::Mask mask = maskOf(options);
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
    return statusOf(metrics, options);
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
                    "  sinoscope-cli compare volume.h5 slices/ --fail-above rmse=1e-5 -o differences.h5\n"
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
    CLI::Option* slice = command
                             ->add_option("--slice", options->slice,
                                          "Slice of the volumes, from 0; without it two volumes are compared slice by "
                                          "slice")
                             ->type_name("K")
                             ->check(wholeNumber(0, 1'000'000));
    command
        ->add_option("--slices", options->slices,
                     "Slices A to B of two volumes, B excluded; :B from the first, A: to the last; default: all that "
                     "both have")
        ->type_name("A:B")
        ->check(takenBy([](const std::string& text) { slicesFromText(text); }))
        ->excludes(slice);
    command->add_flag("--ssim", options->ssim, "Of volumes: also SSIM, which takes many times as long as the rest");
    command
        ->add_option(
            "--fail-above", options->failAbove,
            "Exit with status 3 if a figure is above its limit or can't be measured, such as rmse=1e-5,max=1e-3; "
            "of volumes: of all slices together")
        ->type_name("rmse=R,max=M")
        ->check(takenBy([](const std::string& text) { limitsFromText(text); }));
    command
        ->add_option("-o,--output", options->output,
                     "Of volumes: write the differences, A − B, as F.h5 or a folder with a TIFF for each slice")
        ->type_name("F.h5|DIR")
        ->check(takenBy(engine::requireOutputName));
    command
        ->add_option("--csv", options->csv, "Of volumes: write the figures of each slice as CSV; - is standard output")
        ->type_name("FILE")
        ->check(notEmpty());
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
    return {command, [options](std::stop_token stop) { return compareFiles(*options, std::move(stop)); }};
}

} // namespace cli
