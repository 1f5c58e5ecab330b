// SPDX-License-Identifier: GPL-3.0-or-later
// A benchmark of any kind, and what all kinds report: device, version, date, limits.
#include "engine/measure/benchmark_kinds.h"

#include "engine/base/machine.h"
#include "engine/base/version.h"
#include "engine/measure/paper_steps.h"
#include "engine/measure/phantom_errors.h"
#include "engine/measure/planned_runs.h"

#include <ctime>
#include <utility>

namespace engine
{

namespace
{

std::string dateOfToday()
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    char text[16];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &local)};
}

Benchmark measured(const BenchmarkOptions& options, const BenchmarkWatch& watch, const std::stop_token& stop)
{
    using Kind = BenchmarkOptions::Kind;
    switch (options.kind) {
    case Kind::methods: {
        Benchmark made = benchmarkOf(options, benchmarkMethods(options, watch, stop));
        PlannedRuns planned = plannedRuns(options);
        made.yardsticks.assign(planned.yardsticks.begin(), planned.yardsticks.end());
        made.leftOut = std::move(planned.missing);
        return made;
    }
    case Kind::sizes:
        return measureSizes(options, watch, stop);
    case Kind::card:
        return measureCard(options, watch, stop);
    case Kind::planes:
        return measurePlanes(options, watch, stop);
    case Kind::volume:
        break;
    }
    return measureVolume(options, watch, stop);
}

} // namespace

Benchmark benchmarkOf(const BenchmarkOptions& options, std::vector<BenchmarkRow> rows)
{
    Benchmark made;
    made.options = withSizes(options);
    made.version = programVersion();
    made.date = dateOfToday();
    made.threads = threadsOf(options.threads);
    made.rows = std::move(rows);
    if (!options.steps.empty())
        sortBySteps(made.rows, sequenceOf(options.steps));
    made.peaks = addLimits(made.rows);
    made.device = measuredDevice(made.rows);
    return made;
}

Benchmark runBenchmark(const BenchmarkOptions& asked, const BenchmarkWatch& watch, std::stop_token stop)
{
    const BenchmarkOptions options = withSizes(asked);
    Benchmark made = measured(options, watch, stop);
    if (options.steps.empty())
        return made;
    PhantomErrors errors(options.geometry, {.device = options.device, .threads = options.threads}, stop);
    for (BenchmarkRow& row : made.rows)
        row.relativeError = errors.of(row, stop);
    return made;
}

} // namespace engine
