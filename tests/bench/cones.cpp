// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of the processor's methods for cone beams on noise: giga-updates per second of the back-projection only.
// Results: tests/bench/results/cpu-cones.md. Built by `ninja bench_cones`.
//   bench_cones SIZE PROJECTIONS REPEAT CASE…   CASE:
//   method[:variant][,slices=N][,half][,nearest][,threads=N][,tilt][,offset][,z=N]
// The cases take turns, so that other load on the machine affects all of them. Prints one line of JSON per case: the
// fastest and the median run.
#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/base/giga_updates.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <numbers>
#include <random>
#include <sstream>

namespace
{

struct Run {
    std::string text;
    const engine::Method* method = nullptr;
    engine::Kernel kernel;
    engine::ConeBeam beam;
    engine::VolumeGrid grid;
    int threads = 1;
    std::vector<double> seconds, total, processor;
};

engine::ConeBeam beamOf(int size, int projections)
{
    engine::ConeBeam beam;
    beam.bins = beam.rows = size;
    for (int p = 0; p < projections; ++p)
        beam.anglesRad.push_back(2 * std::numbers::pi * p / projections);
    beam.axisBins = {(size - 1) / 2.0};
    beam.centralRow = (size - 1) / 2.0;
    // Half cone angle 5°, magnification 1.5, voxels as large as a pixel at the axis.
    beam.sourceAxisMm = size / 2.0 / 0.0875;
    beam.sourceDetectorMm = 1.5 * beam.sourceAxisMm;
    beam.pixelUMm = beam.pixelVMm = 1.5;
    beam.volume = {1, size, size};
    return beam;
}

Run runOf(const std::string& text, int size, int projections)
{
    Run run;
    run.text = text;
    run.beam = beamOf(size, projections);
    run.grid = {{size, 0, 0, size, size, 1}, 0, 1, size};
    run.kernel.slicesPerPass = 64;
    std::stringstream parts(text);
    std::string part, id;
    std::getline(parts, id, ',');
    if (const auto colon = id.find(':'); colon != std::string::npos) {
        run.kernel.variant = id.substr(colon + 1);
        id.resize(colon);
    }
    run.method = engine::findMethod(id, run.beam);
    const auto number = [&] { return std::atoi(part.substr(part.find('=') + 1).c_str()); };
    while (std::getline(parts, part, ',')) {
        if (part == "half")
            run.kernel.precision = engine::Precision::half;
        else if (part == "nearest")
            run.kernel.interpolation = engine::Interpolation::nearest;
        else if (part == "tilt")
            run.beam.tiltRad = 0.01;
        else if (part == "offset")
            run.beam.centralRow += 0.3;
        else if (part.starts_with("slices="))
            run.kernel.slicesPerPass = number();
        else if (part.starts_with("threads="))
            run.threads = number();
        else if (part.starts_with("z=")) {
            run.grid.slices = number();
            run.grid.z0 = (size - run.grid.slices) / 2;
        }
    }
    if (!run.method || id != run.method->id || !run.method->takes(run.beam)) {
        std::fprintf(stderr, "unknown: %s\n", text.c_str());
        std::exit(2);
    }
    return run;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 5)
        return std::fprintf(stderr, "bench_cones SIZE PROJECTIONS REPEAT CASE…\n"), 2;
    const int size = std::atoi(argv[1]), projections = std::atoi(argv[2]), repeat = std::atoi(argv[3]);
    std::vector<Run> runs;
    for (int k = 4; k < argc; ++k)
        runs.push_back(runOf(argv[k], size, projections));
    engine::FilteredSinograms data{size, projections, size, {}};
    engine::Values values(static_cast<std::size_t>(size) * projections * size);
    std::minstd_rand generator(1);
    for (float& value : values)
        value = static_cast<float>(generator()) / 2e9f - 0.5f;
    data.values = std::move(values);
    engine::Volume image(size, size, size);
    for (int turn = 0; turn < repeat; ++turn)
        for (Run& run : runs) {
            engine::Workspace workspace;
            engine::Volume part;
            if (run.grid.slices != size)
                part = engine::Volume(run.grid.slices, size, size);
            const engine::Geometry geometry = run.beam;
            const std::clock_t before = std::clock();
            const auto report = launch(*run.method,
                                       {.sinograms = data,
                                        .geometry = geometry,
                                        .grid = run.grid,
                                        .kernel = run.kernel,
                                        .threads = run.threads,
                                        .image = run.grid.slices == size ? image : part},
                                       workspace);
            run.processor.push_back(double(std::clock() - before) / CLOCKS_PER_SEC);
            run.seconds.push_back(report.kernelSeconds);
            run.total.push_back(report.totalSeconds);
        }
    for (Run& run : runs) {
        std::sort(run.seconds.begin(), run.seconds.end());
        std::sort(run.total.begin(), run.total.end());
        std::sort(run.processor.begin(), run.processor.end());
        const auto gups = [&](double seconds) {
            return engine::gigaUpdatesPerSecond(double(size) * size * run.grid.slices, projections, seconds);
        };
        std::printf("{\"case\": \"%s\", \"fastestGups\": %.3f, \"medianGups\": %.3f, \"medianTotalGups\": %.3f, "
                    "\"fastestProcessorGups\": %.3f, "
                    "\"medianProcessorGups\": %.3f}\n",
                    run.text.c_str(), gups(run.seconds.front()), gups(run.seconds[repeat / 2]),
                    gups(run.total[repeat / 2]), gups(run.processor.front()), gups(run.processor[repeat / 2]));
    }
    return 0;
}
