// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of cone-beam methods for different ratios of input to output, as in Chen et al. 2019, Table 4.
#include "engine/backproject/method.h"
#include "engine/backproject/support.h"
#include "engine/base/machine.h"
#include "engine/base/number_text.h"
#include "engine/measure/benchmark.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace engine
{

namespace
{

std::string textOf(const ConeProblem& problem)
{
    return std::to_string(problem.bins) + "² × " + std::to_string(problem.projections) + " → " +
           std::to_string(problem.voxels) + "² × " + std::to_string(problem.slices);
}

// Returns the bytes of recorded data, filtered data and volume.
double bytesOf(const ConeProblem& problem)
{
    return sizeof(float) * (2.0 * problem.bins * problem.bins * problem.projections +
                            1.0 * problem.voxels * problem.voxels * problem.slices);
}

// Returns a request with the slices per pass that the method would choose by itself.
Request requestOf(const Method& method, const ConeProblem& problem, const BenchmarkOptions& options)
{
    auto scan = std::make_shared<Scan>();
    scan->geometry = geometryKind("cone").example;
    scan->rows = problem.bins;
    Request request;
    request.scan = std::move(scan);
    request.setting.kernel.method = method.id;
    request.setting.kernel.precision = options.precision.value_or(Precision::single);
    request.resources.device = options.device;
    request.place.slices.count = problem.slices;
    request.setting.kernel.slicesPerPass = options.slicesPerPass.value_or(slicesPerPassFor(request));
    return request;
}

BenchmarkOptions optionsFor(const ConeProblem& problem, const Request& request, const BenchmarkOptions& options)
{
    BenchmarkOptions one = options;
    one.geometry = "cone";
    one.size = problem.bins;
    one.projections = problem.projections;
    one.voxels = problem.voxels;
    one.volumeSlices = problem.slices;
    one.slices = 0;
    one.methods = {request.setting.kernel.method};
    one.interpolation = request.setting.kernel.interpolation;
    one.precision = request.setting.kernel.precision;
    one.slicesPerPass = request.setting.kernel.slicesPerPass;
    one.everyVariant = options.variant.empty();
    return one;
}

bool isWanted(const Method& method, const BenchmarkOptions& options)
{
    return options.methods.empty() ? !method.yardstick
                                   : std::ranges::find(options.methods, method.id) != options.methods.end();
}

} // namespace

std::span<const ConeProblem> conePaperProblems()
{
    static constexpr auto problems = [] {
        constexpr std::array inputs = {std::pair(512, 1024), std::pair(1024, 1024), std::pair(2048, 1024)};
        constexpr std::array outputs = {std::pair(128, 128), std::pair(256, 256), std::pair(512, 512),
                                        std::pair(1024, 1024), std::pair(1024, 2048)};
        std::array<ConeProblem, inputs.size() * outputs.size()> all{};
        std::size_t k = 0;
        for (const auto& [bins, projections] : inputs)
            for (const auto& [voxels, slices] : outputs)
                all[k++] = {bins, projections, voxels, slices};
        return all;
    }();
    return problems;
}

std::vector<BenchmarkRow> sweepCones(const BenchmarkOptions& options, double mostSeconds,
                                     const std::function<void(const BenchmarkRow&)>& onRow,
                                     const std::function<void(const std::string&)>& onSkipped, std::stop_token stop)
{
    std::vector<BenchmarkRow> rows;
    std::map<std::string, double> secondsPerUpdate; // of a method with all its variants, for the previous problem
    for (const ConeProblem& problem : conePaperProblems()) {
        const auto skip = [&](const std::string& why) {
            if (onSkipped)
                onSkipped(textOf(problem) + " " + why);
        };
        if (bytesOf(problem) > 0.8 * machineMemoryBytes()) {
            skip("needs more memory than this machine has");
            continue;
        }
        for (const Method* method : methodsFor(geometryKind("cone").example)) {
            const Request request = requestOf(*method, problem, options);
            if (!isWanted(*method, options) || refusalOf(*method, request))
                continue;
            const auto known = secondsPerUpdate.find(method->id);
            if (known != secondsPerUpdate.end() && known->second * problem.updates() > mostSeconds) {
                skip("would take `" + std::string(method->id) + "` " +
                     numberToText(std::ceil(known->second * problem.updates())) + " s");
                continue;
            }
            double seconds = 0;
            for (const BenchmarkRow& row : benchmarkMethods(optionsFor(problem, request, options), onRow, stop)) {
                seconds += row.kernelSeconds;
                rows.push_back(row);
            }
            secondsPerUpdate[method->id] = seconds / problem.updates();
        }
    }
    return rows;
}

} // namespace engine
