// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/report_file.h"
#include "app/cli/scan_options.h"
#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/documents/report.h"
#include "engine/examine/examine_rows.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "engine/measure/slice_memory.h"
#include "engine/scan/geometry_facts.h"
#include "engine/scan/scan_facts.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>
#include <numbers>
#include <optional>

namespace cli
{

namespace
{

std::string rowsText(const engine::RowRange& rows)
{
    return std::to_string(rows.first) + " to " + std::to_string(rows.first + rows.count - 1);
}

// Returns the detector rows that `count` slices from `first` on need, or a text if the slices lie outside the cone.
std::string rowsOfSlices(const engine::Scan& scan, int first, int count)
{
    engine::VolumeGrid grid{{scan.sliceSize(), 0, 0, scan.sliceSize(), scan.sliceSize(), 1}};
    grid.z0 = first;
    grid.slices = count;
    try {
        return rowsText(engine::rowsFor(scan.geometry, grid));
    } catch (const engine::Error&) {
        return "none, outside the cone";
    }
}

using Lines = std::vector<std::pair<std::string, std::string>>;

// Returns the lengths, angles and volume of a cone beam.
Lines coneLines(const engine::Scan& scan, const engine::ConeBeam& cone)
{
    constexpr double degrees = 180 / std::numbers::pi;
    Lines lines;
    if (cone.isCircle()) {
        lines = {{"source to axis", number(cone.sourceAxisMm, 7) + " mm"},
                 {"source to detector",
                  number(cone.sourceDetectorMm, 7) + " mm, magnification " + number(cone.magnification(), 6)},
                 {"turn", cone.anglesRad.back() < cone.anglesRad.front() ? "clockwise" : "anticlockwise"},
                 {"central row", number(cone.centralRow, 7)},
                 {"tilt, roll", number(cone.tiltRad * degrees, 6) + "°, " + number(cone.rollRad * degrees, 6) + "°"}};
    } else {
        lines = {{"trajectory", "one projection matrix per projection; only general kernels support it"}};
    }
    const engine::ConeVolume& volume = cone.volume;
    const int middle = volume.slices / 2;
    lines.emplace_back("volume", std::to_string(volume.size) + " × " + std::to_string(volume.size) + " × " +
                                     std::to_string(volume.slices) + " voxels of " + number(volume.voxelMm, 6) + " mm" +
                                     heightText(volume));
    if (cone.rows > 1)
        lines.emplace_back("rows needed", rowsOfSlices(scan, 0, volume.slices) + "; slice " + std::to_string(middle) +
                                              ": " + rowsOfSlices(scan, middle, 1) +
                                              "; slice 0: " + rowsOfSlices(scan, 0, 1));
    return lines;
}

void print(const engine::Scan& scan)
{
    const auto* cone = std::get_if<engine::ConeBeam>(&scan.geometry);
    const double size = engine::bytesOnDisk(scan);
    Lines lines = {{"name", scan.name}, {"path", scan.path}, {"format", scan.format}};
    for (const engine::ScanFact& fact : engine::scanFacts(scan)) {
        const engine::Text correction = engine::correctionText(fact);
        std::string name = fact.label;
        name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
        lines.emplace_back(name, fact.value + (fact.where.empty() ? "" : ", from " + fact.where) +
                                     (correction.empty() ? "" : " [" + words(correction) + "]"));
    }
    lines.emplace_back("on disk", size > 0 ? engine::sizeText(size) : "");
    lines.emplace_back("memory per slice",
                       engine::sizeText(engine::bytesPerSlice(scan, engine::FilterPrecision::float32)));
    if (cone)
        for (const auto& line : coneLines(scan, *cone))
            lines.push_back(line);
    else
        for (const engine::GeometryFact& fact : engine::geometryFacts(scan.geometry))
            lines.emplace_back(fact.name, fact.value);
    for (const engine::AxisHint& hint : scan.axisHints)
        lines.emplace_back("axis hint", number(hint.axisBins, 7) + " bins, if " + hint.source + " is " + hint.reading);
    for (const auto& [name, value] : scan.metadata)
        lines.emplace_back(name, value);
    for (const engine::Note& note : engine::openingNotes(scan))
        lines.emplace_back("note", words(note.text()));
    std::cout << listing(lines);
}

// Describes one or several scans in order. Scans that cannot be opened are reported, and the others are still
// described. The JSON report is an object for one scan, a list for several.
int describeScans(const std::vector<std::string>& paths, const ScanOptions& options, const std::string& json,
                  bool overwrite, const std::stop_token& stop)
{
    ReportFile report(json, overwrite);
    const bool isList = paths.size() > 1;
    std::string reports;
    std::optional<engine::Error> failure;
    for (const std::string& path : paths) {
        try {
            const auto scan = engine::openScan(path, options.open, stop);
            report.refuse(engine::ProtectedInputs(*scan));
            const std::vector<engine::Doubt> doubts = engine::doubtsOf(*scan, stop);
            for (const engine::Doubt& doubt : doubts)
                std::cerr << "warning: " << words(scan->name + ": " + engine::doubtText(*scan, doubt)) << '\n';
            reports += (reports.empty() ? "" : ",\n") + engine::scanJson(*scan, doubts);
            if (!report.textWanted())
                continue;
            if (isList)
                std::cout << (path == paths.front() ? "" : "\n") << plain(path) << '\n';
            print(*scan);
        } catch (const engine::Error& error) {
            if (!isList || error.kind() == engine::ErrorKind::cancelled)
                throw;
            std::cerr << "sinoscope-cli: " << words(error.text()) << '\n';
            failure = error;
        }
    }
    report.write(isList ? "[" + reports + "]" : reports);
    return failure ? engine::exitStatus(failure->kind()) : 0;
}

// Lists the data sets of an HDF5 file, one per line, each with the role that it would get.
int listDataSets(const std::string& path, const std::stop_token& stop)
{
    const engine::DataSetList list = engine::dataSetsIn(path, stop);
    std::vector<std::vector<std::string>> rows = {{"data set", "shape", "numbers", "would be used as"}};
    for (const engine::DataSetFound& set : list.found) {
        std::vector<std::string> options;
        for (const engine::DataSetRole& role : engine::dataSetRoles())
            if (list.guess.*role.text == set.path)
                options.push_back(std::string("--") + role.id);
        if (list.guess.projections == set.path && !list.guess.axes.empty())
            options.push_back("--data-axes " + list.guess.axes);
        rows.push_back({set.path, engine::shapeText(set.shape),
                        !set.problem.empty()     ? "can't be read"
                        : set.sampleType.empty() ? "none"
                                                 : set.sampleType,
                        joined(options, " ")});
    }
    std::cout << table(rows);
    if (list.more > 0)
        std::cout << "and " << list.more << " more\n";
    return 0;
}

} // namespace

Command infoCommand(CLI::App& program)
{
    struct InfoOptions {
        ScanOptions scan;
        std::vector<std::string> paths;
        std::string json;
        bool overwrite = false, dataSets = false;
    };
    CLI::App* command =
        program.add_subcommand("info", "Show all that is known about a scan, reading only a few of its frames");
    command->footer("Examples:\n"
                    "  sinoscope-cli info tooth.h5\n"
                    "  sinoscope-cli info scans/*.h5\n"
                    "  sinoscope-cli info tiffs/ --angles angles.txt\n"
                    "  sinoscope-cli info beamline.h5 --data-sets\n"
                    "  sinoscope-cli info beamline.h5 --data /run/frames --data-angles /run/omega\n"
                    "  sinoscope-cli info volume.raw --raw 720x512x640 --type uint16 --angles 0:179.75");
    const auto options = std::make_shared<InfoOptions>();
    addScanOptions(*command, options->scan, &options->paths);
    addJson(*command, options->json, options->overwrite);
    command
        ->add_flag("--data-sets", options->dataSets,
                   "List the data sets of an HDF5 file of any layout, and what they would be used as")
        ->excludes("--json");
    return {command, [options](const std::stop_token& stop) {
                if (options->dataSets && options->paths.size() > 1)
                    throw engine::Error(engine::ErrorKind::badRequest, "--data-sets takes one file; name only one");
                if (options->dataSets)
                    return listDataSets(options->paths.front(), stop);
                return describeScans(options->paths, options->scan, options->json, options->overwrite, stop);
            }};
}

} // namespace cli
