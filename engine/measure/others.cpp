// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/others.h"

#include "engine/backends/backend.h"
#include "engine/base/child_process.h"
#include "engine/base/error.h"
#include "engine/base/giga_updates.h"
#include "engine/base/json_text.h"
#include "engine/compare/metrics.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/scratch_folder.h"
#include "engine/measure/resource_texts.h"
#include "engine/prepare/median.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/section.h"
#include "engine/simulate/phantom.h"
#include "engine/stages/prepared_rows.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr double discOfWidth = 0.9;
constexpr int mostPrograms = 5;      // in othersScript
constexpr double mostOfOurError = 2; // an image with a larger error is of something else

struct Scene {
    std::shared_ptr<const Scan> scan;
    Values sinogram;
    Volume truth, ours;
    Mask disc;

    explicit Scene(const OthersOptions& options);
    Request request() const;
};

Scene::Scene(const OthersOptions& options)
{
    disc.discRadius = discOfWidth;
    Simulation simulation;
    simulation.size = options.size;
    simulation.projections = projectionsOf(options);
    simulation.counts = false;
    scan = simulate(simulation);
    truth = scan->exactImage(0, sectionOf(request()).grid);
}

Request Scene::request() const
{
    Request request;
    request.scan = scan;
    request.setting.axis.mode = AxisSettings::Mode::middle;
    return request;
}

double rmsBetween(const Scene& scene, const Values& image, const Volume& other)
{
    return compareImages(image, other.slice(0), other.width, other.height, scene.disc).rmse;
}

// Sets the figures from the seconds of the runs and the image.
void setSpeedAndError(OtherProgram& program, const Scene& scene, std::vector<double> seconds, const Values& image)
{
    program.seconds = medianOf(std::move(seconds));
    program.gups =
        gigaUpdatesPerSecond(1.0 * scene.truth.width * scene.truth.height, scene.scan->projections(), program.seconds);
    program.rmse = rmsBetween(scene, image, scene.truth);
}

OtherProgram measureOurs(Scene& scene, const OthersOptions& options, int threads, const std::stop_token& stop)
{
    Request request = scene.request();
    request.resources.threads = threads;
    if (threads == 1)
        request.resources.device = {processorBackend().id, 0};
    Reconstructor reconstructor;
    std::vector<double> seconds;
    Reconstruction made;
    for (int run = 0; run <= options.repeat; ++run) {
        made = reconstructor.run(request, {}, stop);
        if (run > 0)
            seconds.push_back(made.timings.totalSeconds);
    }
    OtherProgram program;
    program.name = "Sinoscope, " + made.method;
    program.device = threads == 1 ? "one core" : made.device;
    program.isOurs = true;
    setSpeedAndError(program, scene, std::move(seconds), made.image.values);
    if (scene.ours.values.empty())
        scene.ours = std::move(made.image);
    return program;
}

void write(const Values& values, const fs::path& path)
{
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
    if (!file.flush())
        throw Error(ErrorKind::output, path.string() + ": it can't be written");
}

// Returns the image that another program wrote; empty if it has another size.
Values imageFrom(const fs::path& path, std::size_t count)
{
    Values image(count);
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file || file.tellg() != static_cast<std::streamoff>(count * sizeof(float)))
        return {};
    file.seekg(0);
    file.read(reinterpret_cast<char*>(image.data()), static_cast<std::streamsize>(count * sizeof(float)));
    return file ? std::move(image) : Values();
}

// Returns the image mirrored and turned as it fits best: programs number rows from either side.
Values fitted(const Scene& scene, Values image)
{
    const int size = scene.truth.width;
    const auto at = [size](int y, int x) { return static_cast<std::size_t>(y) * size + x; };
    Values best = image;
    double least = rmsBetween(scene, image, scene.ours);
    for (int turn = 1; turn < 8; ++turn) {
        Values turned(image.size());
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                const int v = turn & 1 ? size - 1 - y : y, u = turn & 2 ? size - 1 - x : x;
                turned[at(y, x)] = turn & 4 ? image[at(u, v)] : image[at(v, u)];
            }
        const double difference = rmsBetween(scene, turned, scene.ours);
        if (difference < least) {
            least = difference;
            best = std::move(turned);
        }
    }
    return best;
}

std::string saidIn(const Json& json, const char* key)
{
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

// Returns the objects that the script has printed so far. Other lines were printed by a package.
std::vector<Json> linesOf(const fs::path& said, const OthersOptions& options)
{
    std::vector<Json> objects;
    std::istringstream lines(textOf(said, "the output of '" + options.python + "'"));
    for (std::string line; std::getline(lines, line);)
        if (Json json = parsedJson(line); json.is_object())
            objects.push_back(std::move(json));
    return objects;
}

double shareDone(const std::vector<Json>& lines)
{
    double all = 0, done = 0;
    for (const Json& line : lines) {
        if (line.contains("turns") && line["turns"].is_number())
            all = line["turns"].get<double>();
        done += line.contains("turn");
    }
    return all > 0 ? std::min(done / all, 1.0) : 0;
}

// Reads one line of the script's output.
OtherProgram programFrom(const Json& said, const Scene& scene, const fs::path& folder)
{
    OtherProgram program;
    program.name = saidIn(said, "name");
    program.device = saidIn(said, "device");
    program.problem = saidIn(said, "problem");
    if (!program.problem.empty())
        return program;
    std::vector<double> seconds;
    if (said.contains("seconds") && said["seconds"].is_array())
        for (const Json& value : said["seconds"])
            if (value.is_number() && value.get<double>() > 0)
                seconds.push_back(value.get<double>());
    const std::string name = fs::path(saidIn(said, "image")).filename().string();
    const Values image = imageFrom(folder / name, scene.truth.values.size());
    if (seconds.empty() || image.empty()) {
        program.problem = "it returned no image of this size";
        return program;
    }
    const Values turned = fitted(scene, image);
    setSpeedAndError(program, scene, std::move(seconds), turned);
    program.difference = rmsBetween(scene, turned, scene.ours);
    const double ours = rmsBetween(scene, scene.ours.values, scene.truth);
    if (!(program.difference <= std::max(ours, program.rmse)) || program.rmse > mostOfOurError * ours)
        program.problem = "its image disagrees";
    return program;
}

} // namespace

int projectionsOf(const OthersOptions& options)
{
    return options.projections > 0 ? options.projections
                                   : static_cast<int>(std::ceil(std::numbers::pi / 2 * options.size));
}

std::vector<OtherProgram> measureOthers(const OthersOptions& options,
                                        const std::function<void(double fraction)>& progress, std::stop_token stop)
{
    if (options.size < 3 || options.size % 2 == 0)
        throw Error(ErrorKind::badRequest, "the size must be odd for other programs, not " +
                                               std::to_string(options.size) + ": only then is the axis in the middle");
    Scene scene(options);
    ScratchFolder folder(fs::temp_directory_path());
    for (int program = 0; program < mostPrograms; ++program)
        folder.file("image_" + std::to_string(program) + ".f32");
    const RowRange row{0, 1};
    const Request request = scene.request();
    write(prepare(request, read(request, row, stop), row, 0, stop).prepared.sinograms.values,
          folder.file("sinogram.f32"));
    // Python first: if it can't be started, nothing was measured in vain.
    const fs::path said = folder.file("said.jsonl");
    std::uintmax_t known = 0;
    const auto follow = [&] {
        std::error_code failure;
        const std::uintmax_t bytes = fs::file_size(said, failure);
        if (failure || !progress || bytes == known)
            return;
        known = bytes;
        progress(shareDone(linesOf(said, options)));
    };
    // -I: no module of the current folder replaces one of Python's.
    const int status = ChildProcess(options.python,
                                    {"-I", "-c", othersScript, folder.path().string(), std::to_string(options.size),
                                     std::to_string(scene.scan->projections()), std::to_string(options.repeat)},
                                    said, folder.path())
                           .wait(stop, follow);
    if (status != 0 || fs::file_size(said) == 0)
        throw Error(ErrorKind::badRequest,
                    "'" + options.python + "' ended with status " + std::to_string(status) + "; is it a Python 3?");
    std::vector<OtherProgram> programs = {measureOurs(scene, options, options.threads, stop)};
    if (options.threads != 1)
        programs.push_back(measureOurs(scene, options, 1, stop));
    const double ours = programs.front().seconds, oursOnOneCore = programs.back().seconds;
    for (const Json& line : linesOf(said, options)) {
        if (const std::string fatal = saidIn(line, "fatal"); !fatal.empty())
            throw Error(ErrorKind::badRequest, "'" + options.python + "' can't be used: " + fatal);
        if (line.contains("turns") || line.contains("turn"))
            continue;
        OtherProgram program = programFrom(line, scene, folder.path());
        program.timesAsLong = program.seconds / (program.device == "one core" ? oursOnOneCore : ours);
        programs.push_back(std::move(program));
    }
    return programs;
}

} // namespace engine
