// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of methods for problems of different sizes, those of the papers among them.
#include "engine/backends/method.h"
#include "engine/backends/support.h"
#include "engine/base/machine.h"
#include "engine/base/number_text.h"
#include "engine/measure/benchmark_kinds.h"
#include "engine/measure/paper_steps.h"
#include "engine/measure/planned_runs.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace engine
{

namespace
{

struct SizedProblem {
    bool cone;
    int bins, projections, voxels, slices; // a parallel beam's detector has one row

    double updates() const { return 1.0 * voxels * voxels * slices * projections; }
    // Of recorded data, filtered data and volume.
    double bytes() const
    {
        const double rows = cone ? bins : 1;
        return sizeof(float) * (2.0 * bins * rows * projections + 1.0 * voxels * voxels * slices);
    }
    std::string text() const
    {
        return std::to_string(bins) + (cone ? "²" : "") + " × " + std::to_string(projections) + " → " +
               std::to_string(voxels) + "²" + (cone ? " × " + std::to_string(slices) : "");
    }
};

std::vector<SizedProblem> problemsOf(const BenchmarkOptions& options)
{
    const bool isCone = std::holds_alternative<ConeBeam>(geometryKind(options.geometry).example);
    std::vector<SizedProblem> problems;
    if (!isCone)
        for (const int size : {128, 256, 512, 1024, 2048, 4096})
            problems.push_back({false, size, size, size, 1});
    else
        for (const ConeProblem& one : sequenceOf(options.steps.empty() ? "shuffle" : options.steps).problems)
            problems.push_back({true, one.bins, one.projections, one.voxels, one.slices});
    return problems;
}

BenchmarkOptions optionsFor(const SizedProblem& problem, const BenchmarkOptions& options)
{
    BenchmarkOptions one = options;
    one.size = problem.bins;
    one.projections = problem.projections;
    if (problem.cone) {
        one.voxels = problem.voxels;
        one.volumeSlices = problem.slices;
        one.slices = 0;
    }
    return one;
}

// Returns a request with the slices per pass that a sweep uses.
Request requestOf(const Method& method, const SizedProblem& problem, const BenchmarkOptions& options)
{
    Kernel kernel{.method = method.id};
    kernel.interpolation = options.interpolation.value_or(Interpolation::linear);
    kernel.precision = options.precision.value_or(Precision::single);
    Request request = exampleRequest(geometryKind(options.geometry).example, kernel, options.device, problem.slices);
    request.setting.kernel.slicesPerPass =
        options.slicesPerPass.value_or(problem.cone ? slicesPerPassFor(request) : method.slicesPerPass.front());
    return request;
}

// Something to measure: a method, or all steps of a paper.
struct Measured {
    std::string name;
    BenchmarkOptions options;
};

std::vector<Measured> measuredFor(const SizedProblem& problem, const BenchmarkOptions& options)
{
    const BenchmarkOptions sized = optionsFor(problem, options);
    if (!options.steps.empty())
        return {{options.steps, sized}};
    std::vector<Measured> all;
    for (const Method* method : methodsFor(geometryKind(options.geometry).example)) {
        const bool isWanted =
            options.methods.empty() ? !method->yardstick : std::ranges::count(options.methods, method->id) > 0;
        const Request request = requestOf(*method, problem, options);
        if (!isWanted || refusalOf(*method, request))
            continue;
        Measured one{method->id, sized};
        const Kernel& kernel = request.setting.kernel;
        one.options.methods = {kernel.method};
        one.options.interpolation = kernel.interpolation;
        one.options.precision = kernel.precision;
        one.options.slicesPerPass = kernel.slicesPerPass;
        one.options.everyVariant = options.everyVariant || (problem.cone && options.variant.empty());
        all.push_back(std::move(one));
    }
    return all;
}

// Returns the seconds per update of a small problem, for an estimate before the first problem.
double trialSecondsPerUpdate(const Measured& measured, const SizedProblem& problem, const std::stop_token& stop)
{
    constexpr int small = 48;
    const SizedProblem trial{problem.cone, small, small, small, problem.cone ? small : 1};
    BenchmarkOptions options = optionsFor(trial, measured.options);
    options.repeat = 3; // the fastest run: starting the threads takes longer than such a problem
    double seconds = 0;
    for (const BenchmarkRow& row : benchmarkMethods(options, {}, stop))
        seconds += row.fastestKernelSeconds / row.slices * trial.slices;
    return seconds / trial.updates();
}

} // namespace

Benchmark measureSizes(const BenchmarkOptions& options, const BenchmarkWatch& watch, const std::stop_token& stop)
{
    std::vector<BenchmarkRow> rows;
    std::vector<std::string> leftOut;
    const std::vector<SizedProblem> problems = problemsOf(options);
    if (!options.steps.empty())
        leftOut = plannedRuns(optionsFor(problems.front(), options)).missing;
    double allUpdates = 0, doneUpdates = 0;
    for (const SizedProblem& problem : problems)
        allUpdates += problem.updates();
    std::map<std::string, double> secondsPerUpdate; // of a method or steps, all runs together, for the previous problem
    for (const SizedProblem& problem : problems) {
        const auto skip = [&](const std::string& why) { leftOut.push_back(problem.text() + " " + why); };
        if (problem.bytes() > 0.8 * machineMemoryBytes()) {
            skip("needs more memory than this machine has");
            continue;
        }
        const std::vector<Measured> all = measuredFor(problem, options);
        for (const Measured& measured : all) {
            doneUpdates += problem.updates() / static_cast<double>(all.size());
            const auto known = secondsPerUpdate.find(measured.name);
            double& each = secondsPerUpdate[measured.name];
            if (known == secondsPerUpdate.end())
                each = trialSecondsPerUpdate(measured, problem, stop);
            if (each * problem.updates() > options.mostSeconds) {
                skip("would take `" + measured.name + "` " + numberToText(std::ceil(each * problem.updates())) + " s");
                continue;
            }
            double seconds = 0;
            for (const BenchmarkRow& row : benchmarkMethods(measured.options, {.onRow = watch.onRow}, stop)) {
                seconds += row.kernelSeconds / row.slices * problem.slices;
                rows.push_back(row);
            }
            each = seconds / problem.updates();
            if (watch.onProgress)
                watch.onProgress(std::min(1.0, doneUpdates / allUpdates), measured.name + ", " + problem.text());
        }
    }
    Benchmark made = benchmarkOf(options, std::move(rows));
    made.leftOut = std::move(leftOut);
    return made;
}

} // namespace engine
