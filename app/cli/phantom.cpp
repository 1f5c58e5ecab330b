// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/cone_options.h"
#include "app/cli/options.h"
#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/documents/report.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/write_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/section.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

namespace cli
{

namespace
{

struct PhantomOptions {
    std::string name;
    engine::Simulation simulation;
    std::optional<double> arcDeg;
    std::string geometry; // empty: a cone beam if its lengths are given
    engine::ConeOptions cone;
    std::string format = "dxchange";
    std::string output;
    std::string exact;
    bool overwrite = false;
    std::string json;
};

std::vector<std::string> phantomNames()
{
    std::vector<std::string> names;
    for (const engine::Phantom phantom : engine::phantoms())
        names.push_back(engine::toText(phantom));
    return names;
}

// Throws if the file name extension belongs to another kind of file.
void requireKindOf(const std::string& name, engine::OutputKind kind)
{
    const std::filesystem::path extension = std::filesystem::path(name).extension();
    const bool hdf5 = kind == engine::OutputKind::hdf5;
    const bool usual = hdf5 && (extension.empty() || extension == ".nx");
    if (name.empty())
        throw engine::Error(engine::ErrorKind::badRequest, "the name is empty");
    if (!usual && engine::outputKindOf(name) != kind)
        throw engine::Error(engine::ErrorKind::badRequest,
                            "'" + name + "' must be " + (hdf5 ? "an HDF5 file; name F.h5" : "a TIFF; name F.tif"));
}

// Writes the exact image in the unit of the scan's reconstructions.
std::unique_ptr<engine::PendingFile> writeExact(const std::shared_ptr<const engine::Scan>& scan,
                                                const PhantomOptions& options)
{
    engine::Request whole;
    whole.scan = scan;
    engine::Volume image = scan->exactImage(scan->slices() / 2, engine::sectionOf(whole).grid);
    if (const auto pixelSizeMm = scan->pixelSizeMm())
        for (float& value : image.values)
            value = static_cast<float>(value / *pixelSizeMm);
    return engine::pendingTiffImage(options.exact, image, 0, options.overwrite, engine::ProtectedInputs(*scan));
}

int writePhantom(PhantomOptions options, std::stop_token stop)
{
    requireDistinct({{"--output", options.output}, {"--exact", options.exact}, {"--json", options.json}});
    ReportFile report(options.json, options.overwrite);
    options.simulation.phantom = engine::phantomFromText(options.name);
    const bool said = options.cone != engine::ConeOptions();
    engine::require(!said || options.geometry != "parallel",
                    "distances, pixels and angles of the detector apply only to cone beams: leave out --geometry "
                    "parallel, or these options");
    const bool cone = said || options.geometry == "cone";
    if (cone)
        options.simulation.cone = options.cone;
    options.simulation.arcDeg = options.arcDeg.value_or(cone ? 360 : 180);
    const auto scan = engine::simulate(options.simulation);
    const auto format = options.format == "nxtomo" ? engine::ScanFormat::nxtomo : engine::ScanFormat::dxchange;
    std::unique_ptr<engine::PendingFile> exact; // renamed into place after the scan
    if (!options.exact.empty())
        exact = writeExact(scan, options);
    {
        ProgressBar bar;
        engine::writeScan(
            *scan, &options.simulation, format, options.output, options.overwrite,
            [&](double fraction) { bar.show(fraction, "writing"); }, stop);
    }
    if (exact)
        exact->commit();
    const auto written = engine::openScan(options.output);
    report.write(engine::scanJson(*written));
    if (report.textWanted()) {
        std::cout << options.output << ": " << options.name << ", " << scan->projections() << " projections of "
                  << scan->rows << " × " << scan->bins() << " (" << written->format << ")\n";
        if (!options.exact.empty())
            std::cout << options.exact << ": its exact image, slice " << scan->slices() / 2 << '\n';
    }
    return 0;
}

void addSimulation(CLI::App& command, PhantomOptions& options)
{
    engine::Simulation& simulation = options.simulation;
    command
        .add_option("--size", simulation.size,
                    "Number of bins; for parallel beams also of pixels along each side of a slice")
        ->type_name("N")
        ->check(wholeNumber(1, 65536))
        ->capture_default_str();
    command.add_option("--projections", simulation.projections, "Number of projections, evenly spaced")
        ->type_name("P")
        ->check(wholeNumber(1, 1'000'000))
        ->capture_default_str();
    command.add_option("--slices", simulation.slices, "Rows of the detector; for parallel beams the slices")
        ->type_name("Z")
        ->check(wholeNumber(1, 65536))
        ->capture_default_str();
    command
        .add_option(
            "--arc", options.arcDeg,
            "Degrees that the projections cover, end excluded: 180 (default) or 360; for cone beams any, default: 360")
        ->type_name("DEG")
        ->check(realNumber(0, 3600, false));
    command
        .add_option("--attenuation", simulation.attenuation,
                    "Attenuation per pixel at density 1; 0: 4/N; with --line-integrals, 1 gives values in densities")
        ->type_name("A")
        ->check(realNumber(0, 1e6))
        ->capture_default_str();
    command.add_flag(
        "--line-integrals", [&simulation](std::int64_t) { simulation.counts = false; },
        "Write line integrals instead of counts with darks and flats");
    command.add_flag(
        "--bin-mean", [&simulation](std::int64_t) { simulation.sampling = engine::Sampling::binMean; },
        "Average each bin over its width, as a detector does, instead of using the ray through its centre");
    command.add_option("--photons", simulation.photons, "Photon noise: counts per bin without the object; 0 for none")
        ->type_name("I0")
        ->check(realNumber(0, 1e15));
    command.add_option("--rings", simulation.rings, "Rings: relative deviation of the bins' gains; 0 for none")
        ->type_name("S")
        ->check(realNumber(0, 1));
    command
        .add_option("--axis-offset", simulation.axisOffsetBins,
                    "Distance of the rotation axis to the right of the middle, in bins")
        ->type_name("B")
        ->check(realNumber(-1e5, 1e5));
    command.add_option("--seed", simulation.seed, "Seed of the noise, from 0")
        ->type_name("S")
        ->check(wholeNumber(0, std::numeric_limits<long long>::max()))
        ->capture_default_str();
}

} // namespace

Command phantomCommand(CLI::App& program)
{
    CLI::App* command = program.add_subcommand("phantom", "Write a simulated scan whose exact image is known");
    command->footer(
        "Examples:\n"
        "  sinoscope-cli phantom shepp-logan --size 512 --projections 804 --output head.h5\n"
        "  sinoscope-cli phantom shepp-logan-3d --size 256 --projections 400 --slices 256 \\\n"
        "      --photons 20000 --rings 0.01 --axis-offset 3.5 --format nxtomo --output noisy.nx\n"
        "  sinoscope-cli phantom shepp-logan --size 512 --projections 804 --line-integrals \\\n"
        "      --attenuation 1 --output densities.h5 --exact densities.tif\n"
        "  sinoscope-cli phantom shepp-logan-3d --size 256 --projections 360 --slices 256 --geometry cone \\\n"
        "      --source-axis 1463 --source-detector 2194.5 --pixel 1.5 --output cone.h5\n"
        "  sinoscope-cli phantom resolution --size 256 --projections 400 --output r.h5 --exact r.tif");
    const auto options = std::make_shared<PhantomOptions>();
    const std::string names = choices(phantomNames());
    command->add_option("NAME", options->name, "Object to simulate")
        ->required()
        ->type_name(names)
        ->check(takenBy(engine::phantomFromText));
    addSimulation(*command, *options);
    command
        ->add_option("--geometry", options->geometry,
                     "Beam of the scan; default: cone if its distances are given, else parallel")
        ->type_name("parallel|cone")
        ->check(oneOf({"parallel", "cone"}))
        ->group("Geometry");
    addConeOptions(*command, options->cone, false, "Geometry");
    command->add_option("--format", options->format, "Format of the file")
        ->type_name("dxchange|nxtomo")
        ->check(oneOf({"dxchange", "nxtomo"}))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "HDF5 file to write")
        ->required()
        ->type_name("FILE")
        ->check(takenBy([](const std::string& name) { requireKindOf(name, engine::OutputKind::hdf5); }));
    command->add_option("--exact", options->exact, "Also write the exact image of the middle slice as a TIFF")
        ->type_name("FILE.tif")
        ->check(takenBy([](const std::string& name) { requireKindOf(name, engine::OutputKind::tiff); }));
    addJson(*command, options->json, options->overwrite);
    return {command, [options](std::stop_token stop) { return writePhantom(*options, stop); }};
}

} // namespace cli
