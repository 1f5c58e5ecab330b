#include "engine/reconstruct.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output_options.h"
#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/scan_options.h"
#include "app/cli/text.h"
#include "engine/backproject/method.h"
#include "engine/error.h"
#include "engine/io/tiff_file.h"
#include "engine/io/write_slices.h"
#include "engine/measure/disk_rates.h"
#include "engine/number_text.h"
#include "engine/reconstruct_volume.h"
#include "engine/report.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

namespace cli
{

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorKind;

namespace
{

constexpr const char* slicesPerPass = "slices-per-pass"; // the fastest number where it isn't given

struct ReconstructOptions {
    ScanOptions scan;
    std::string output;
    OutputOptions format;
    std::string slice, slices;
    std::string settings;                     // a report whose options are taken
    std::map<std::string, std::string> texts; // of the engine's table of options, by id; empty: not given
    bool oneByOne = false;
    bool overwrite = false;
    std::string json;
};

int rowFromText(const std::string& text)
{
    const long long row = integerFromText(text, "slice");
    if (row < 0 || row > std::numeric_limits<int>::max())
        throw Error(ErrorKind::badRequest, "slice " + text + " is out of range; slices count from 0");
    return static_cast<int>(row);
}

// :B is from the first, A: up to the last of `slices`.
engine::RowRange slicesFromText(const std::string& text, int slices = std::numeric_limits<int>::max())
{
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || text == ":")
        throw Error(ErrorKind::badRequest, "bad slices '" + text + "'; give A:B, from A up to but without B");
    const int first = colon == 0 ? 0 : rowFromText(text.substr(0, colon));
    const int end = colon + 1 == text.size() ? slices : rowFromText(text.substr(colon + 1));
    if (end <= first)
        throw Error(ErrorKind::badRequest,
                    "slices " + text + " are none; give A:B with B greater than A (B is left out)");
    return {first, end - first};
}

std::string extensionOf(const fs::path& path)
{
    return engine::lowerCase(path.extension().string());
}

bool isOneImage(const fs::path& output)
{
    return engine::hasTiffSuffix(output);
}

// Without this, F.png would be a folder of TIFFs.
void requireKnownOutput(const std::string& output)
{
    if (output.empty())
        throw Error(ErrorKind::badRequest, "the name is empty");
    static constexpr const char* otherFiles[] = {".png", ".jpg", ".jpeg", ".bmp", ".gif", ".raw", ".bin", ".npy",
                                                 ".npz", ".mha", ".mrc",  ".nii", ".vti", ".nx",  ".zarr"};
    const std::string extension = extensionOf(output);
    if (std::find(std::begin(otherFiles), std::end(otherFiles), extension) != std::end(otherFiles))
        throw Error(ErrorKind::badRequest, "'" + output + "': " + extension +
                                               " files are not written; name F.tif, F.h5, or a folder (with / at its "
                                               "end if it is to be called that)");
}

engine::RowRange slicesOf(const ReconstructOptions& options, const engine::Scan& scan)
{
    engine::RowRange slices{0, scan.slices()};
    if (!options.slice.empty())
        slices = {rowFromText(options.slice), 1};
    else if (!options.slices.empty())
        slices = slicesFromText(options.slices, scan.slices());
    else if (isOneImage(options.output))
        slices = {scan.slices() / 2, 1};
    if (isOneImage(options.output) && slices.count > 1)
        throw Error(ErrorKind::badRequest, "--output: '" + options.output + "' holds one slice, and " +
                                               std::to_string(slices.count) +
                                               " are asked for; name a folder or a .h5 file");
    return slices;
}

// How the report's scan was opened isn't taken: this may be another. But it is said.
engine::Request requestFromFile(const std::string& path, const engine::OpenOptions& open)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file)
        throw Error(ErrorKind::badFile, "--settings: '" + path + "' can't be read");
    std::string missing;
    for (const std::string& flag : engine::openedOtherwise(text.str(), open))
        missing += (missing.empty() ? "" : ", ") + flag;
    if (!missing.empty())
        std::cerr << "warning: --settings: the report's scan was opened with " << missing
                  << "; that isn't taken from it, give it again if it is for this scan too\n";
    try {
        return engine::requestFromJson(text.str());
    } catch (const Error& error) {
        throw Error(error.kind(), "--settings: '" + path + "': " + error.what());
    }
}

engine::Request requestOf(const ReconstructOptions& options, const engine::OpenOptions& open,
                          std::shared_ptr<const engine::Scan> scan)
{
    engine::Request request = options.settings.empty() ? engine::Request{} : requestFromFile(options.settings, open);
    request.place.slices = slicesOf(options, *scan);
    request.scan = std::move(scan);
    const engine::Request standard;
    for (const engine::Option& row : engine::options()) {
        const std::string& text = options.texts.at(row.id);
        if (!text.empty())
            engine::setOption(row, request, text);
    }
    for (const engine::Option& row : engine::options())
        if (const auto reason = row.idle ? row.idle(request) : std::nullopt;
            reason && row.get(request) != row.get(standard))
            throw Error(ErrorKind::badRequest, std::string("--") + row.id + ": " + *reason);
    if (options.texts.at(slicesPerPass).empty() && options.settings.empty())
        engine::chooseSlicesPerPass(request);
    return request;
}

// What the files of a folder are called: after the scan, and numbered by slice.
std::string nameOf(const ReconstructOptions& options)
{
    const fs::path path(options.scan.path);
    return (path.has_filename() ? path : path.parent_path()).stem().string();
}

std::string axisText(const engine::Reconstruction& made)
{
    return number(made.axisBins, 7) + " bins (" + made.axisSource +
           (made.axisConfidence ? ", confidence " + number(100 * *made.axisConfidence, 2) + " %" : "") +
           "), from the centre of bin 0 as tomopy's gridrec, nabu and tomocupy count";
}

std::string memoryText(const engine::VolumePlan& plan)
{
    return "up to " + bytes(plan.bytes) + " of " + bytes(plan.limitBytes) + ", " + std::to_string(plan.slicesPerGroup) +
           (plan.slicesPerGroup == 1 ? " slice" : " slices") + " at a time" +
           (plan.overlapped ? ", stages overlapped" : "");
}

// The stage that the others wait for where they overlap, how fast it was, and could be.
std::string limitText(const ReconstructOptions& options, const engine::Reconstruction& made,
                      const engine::OutputFormat& format, const std::stop_token& stop)
{
    const engine::SlowestStage stage = engine::slowestStage(made, format.bytesPerValue());
    std::string rate = number(stage.perSecond / 1e9, 3);
    std::string taker;
    if (const auto possible = engine::measureLimit(stage, options.output, stop)) {
        rate += " of " + number(*possible / 1e9, 3);
        taker = " that this disk takes";
    }
    return std::string(stage.name) + ", " + number(100 * stage.seconds / made.timings.elapsedSeconds, 3) +
           " % of the time, " + rate + " G" + stage.unit + "/s" + taker;
}

void print(const ReconstructOptions& options, const engine::Reconstruction& made, const engine::VolumePlan& plan,
           const std::string& limit)
{
    const engine::Request& request = made.request;
    const engine::Timings& times = made.timings;
    const int last = request.place.slices.first + request.place.slices.count - 1;
    const bool one = request.place.slices.count == 1;
    std::string interpolation = engine::toText(request.setting.kernel.interpolation);
    if (request.setting.kernel.interpolation == engine::Interpolation::oversampled)
        interpolation += ":" + std::to_string(request.setting.kernel.oversampling);
    std::vector<std::pair<std::string, std::string>> lines = {
        {"scan", request.scan->name + ", " + std::to_string(request.scan->projections()) + " projections"},
        {"values", valuesText(*request.scan)},
        {"output", options.output + ", " + std::to_string(made.grid.width) + " × " + std::to_string(made.grid.height) +
                       " pixels, " + made.unit},
        {one ? "slice" : "slices", std::to_string(request.place.slices.first) +
                                       (one ? std::string() : " to " + std::to_string(last)) + " of " +
                                       std::to_string(request.scan->slices()) + ", from 0"},
        {"method", made.method + ", " + interpolation + ", " + engine::toText(request.setting.kernel.precision) + ", " +
                       std::to_string(request.setting.kernel.slicesPerPass) + " a pass"},
        {"device", made.device},
        {"axis", axisText(made)}};
    for (const engine::OptionLine& line : engine::linesOf(made))
        lines.emplace_back(engine::lowerLabel(*line.option), line.value);
    const std::vector<std::pair<std::string, std::string>> measured = {
        {"kernel",
         number(made.kernelGups, 3) + " GU/s (" + seconds(times.kernelSeconds) + ")" +
             (made.texelsPerSecond > 0 ? ", " + number(100 * made.texturePeakShare, 3) + " % of the GPU's texture peak"
                                       : "")},
        {"total", number(made.totalGups, 3) + " GU/s (" + seconds(times.totalSeconds) + ")"},
        {"stages", "read " + seconds(times.read.seconds) + ", prepare " + seconds(times.prepare.seconds) + ", axis " +
                       seconds(times.axis.seconds) + ", filter " + seconds(times.filter.seconds) +
                       ", back-projection " + seconds(times.backprojectSeconds) + ", write " +
                       seconds(times.writeSeconds) + "; " + seconds(times.elapsedSeconds) + " in all"},
        {"limit", limit},
        {"memory", memoryText(plan)}};
    lines.insert(lines.end(), measured.begin(), measured.end());
    std::cout << listing(lines);
    constexpr std::size_t shown = 8;
    std::vector<std::string> notes = request.scan->notes;
    notes.insert(notes.end(), made.notes.begin(), made.notes.end());
    for (std::size_t i = 0; i < notes.size() && i < shown; ++i)
        std::cout << "note: " << plain(notes[i]) << '\n';
    if (notes.size() > shown)
        std::cout << "note: " << notes.size() - shown << " more with --json\n";
}

engine::Reconstruction reconstruct(const engine::Request& request, const engine::VolumePlan& plan,
                                   engine::SliceWriter& writer, std::stop_token stop)
{
    ProgressBar bar;
    return engine::reconstructVolume(
        request, plan,
        [&writer](const engine::Reconstruction& made, std::stop_token stopped) { writer.write(made, stopped); },
        [&bar](double fraction, const engine::RowRange& group, engine::Stage stage) {
            bar.show(fraction, "slice " + std::to_string(group.first) + ": " + engine::toText(stage));
        },
        stop);
}

// A method that the program chose may not have it.
void requireVariant(const engine::Request& request)
{
    const std::string& variant = request.setting.kernel.variant;
    const engine::Method& method = engine::methodFor(request);
    if (!variant.empty() && !engine::hasVariant(method, variant))
        throw Error(ErrorKind::badRequest, std::string("--variant: `") + method.id +
                                               "`, which this runs with, has no '" + variant +
                                               "'; name the method that has it with --method");
}

int reconstructScan(const ReconstructOptions& options, std::stop_token stop)
{
    requireDistinct({{"SCAN", options.scan.path}, {"--output", options.output}, {"--json", options.json}});
    ReportFile report(options.json, options.overwrite);
    const engine::OpenOptions& open = options.scan.open;
    const engine::Request request = requestOf(options, open, engine::openScan(options.scan.path, open, stop));
    const engine::Inputs inputs(*request.scan);
    report.refuse(inputs);
    if (!request.scan->quantityDoubt.empty())
        std::cerr << "warning: " << plain(request.scan->name + ": " + request.scan->quantityDoubt) << '\n';
    engine::validate(request);
    requireVariant(request);
    const engine::VolumePlan plan = engine::planVolume(request, !options.oneByOne);
    fs::path output(options.output);
    if (!output.has_filename()) // "folder/"
        output = output.parent_path();
    const engine::OutputChoice choice = outputChoice(options.format);
    const engine::OutputFormat format = engine::outputFormat(choice, request, stop);
    engine::SliceWriter writer(output, nameOf(options), request.place.slices, options.overwrite, inputs, format);
    if (const std::string unfinished = writer.unfinished(); !unfinished.empty())
        std::cerr << "warning: " << options.output << ": " << plain(unfinished) << '\n';
    engine::Reconstruction made = reconstruct(request, plan, writer, stop);
    const engine::StorageNote note = engine::storageNote(format, !choice.range, writer.changed(), made);
    if (!note.text.empty())
        made.notes.push_back(note.text);
    if (note.isLoss)
        std::cerr << "warning: " << options.output << ": " << note.text << '\n';
    if (const std::string older = writer.olderSlices(); !older.empty()) {
        made.notes.push_back(older);
        std::cerr << "warning: " << options.output << ": " << older << '\n';
    }
    writer.finish(engine::configurationJson(made, open));
    report.write(engine::configurationJson(made, open));
    if (report.textWanted())
        print(options, made, plan, made.grid.slices > 1 ? limitText(options, made, format, stop) : std::string());
    return 0;
}

// What the user leaves out is the program's choice: the default, or the fastest.
void addSettings(CLI::App& command, ReconstructOptions& options)
{
    const engine::Request standard;
    for (const engine::Option& row : engine::options()) {
        std::string& text = options.texts[row.id];
        if (row.id != std::string(slicesPerPass))
            text = row.get(standard);
        addOption(command, row, text);
        text.clear(); // the help shows it; what isn't given stays empty
    }
    command
        .add_option(
            "--settings", options.settings,
            "The options of a report (--json F.json), where they aren't given here; not its slices and output, nor how "
            "its scan was opened")
        ->type_name("FILE")
        ->check(CLI::Validator(CLI::ExistingFile).description({}))
        ->group("Method");
    command
        .add_flag("--no-overlap", options.oneByOne, "Read, compute and write one after the other: takes less memory")
        ->group("Method");
}

void addSliceOptions(CLI::App& command, ReconstructOptions& options)
{
    command
        .add_option("-o,--output", options.output,
                    "F.tif for one slice, F.h5 for all in one file, else a folder with a TIFF a slice")
        ->required()
        ->type_name("F.tif|F.h5|DIR")
        ->check(takenBy(requireKnownOutput));
    CLI::Option* slice = command.add_option("--slice", options.slice, "One slice, from 0; the middle one for F.tif")
                             ->type_name("K")
                             ->check(takenBy(rowFromText));
    command
        .add_option("--slices", options.slices,
                    "Slices A to B, B left out; :B from the first, A: to the last; all when left out")
        ->type_name("A:B")
        ->check(takenBy([](const std::string& text) { slicesFromText(text); }))
        ->excludes(slice);
    addOutputOptions(command, options.format);
    addJson(command, options.json, options.overwrite);
}

} // namespace

Command reconstructCommand(CLI::App& program)
{
    CLI::App* command = program.add_subcommand("reconstruct", "Reconstruct slices of a scan");
    command->footer(
        "Examples:\n"
        "  sinoscope-cli reconstruct tooth.h5 --output tooth.tif\n"
        "  sinoscope-cli reconstruct tooth.h5 --output slices/ --slices 100:200 --filter hann --axis 295.75\n"
        "  sinoscope-cli reconstruct scan.nxs --output volume.h5 --precision half --slices-per-pass 4\n"
        "  sinoscope-cli reconstruct tiffs/ --darks dark.tif --flats flat.tif --angles angles.txt -o out/\n"
        "  sinoscope-cli reconstruct sinogram.tif --sinogram --angles 0:360 -o slice.tif --json -\n"
        "  sinoscope-cli reconstruct scan.raw --raw 180x176x176 --type float32 --values line-integrals \\\n"
        "      --geometry cone --source-axis 1000 --source-detector 1500 --pixel 2.3 --angles 0:358 -o volume.h5\n"
        "  sinoscope-cli reconstruct tiffs/ --geometry geometry.xml --pixel 0.4 --voxel 0.25 -o volume.h5");
    const auto options = std::make_shared<ReconstructOptions>();
    addScanOptions(*command, options->scan);
    addSliceOptions(*command, *options);
    addSettings(*command, *options);
    return {command, [options](std::stop_token stop) { return reconstructScan(*options, stop); }};
}

} // namespace cli
