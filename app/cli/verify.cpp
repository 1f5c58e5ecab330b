// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/verify.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/backends/devices.h"
#include "engine/base/error.h"
#include "engine/documents/measured_report.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

namespace cli
{

namespace
{

struct VerifyOptions {
    engine::VerifyOptions verify;
    std::string device = "auto";
    std::string json;
    bool overwrite = false;
};

// One line of output for all sizes of a setting: its worst case, and how many cases failed.
struct Summary {
    const engine::VerifyCase* worst = nullptr;
    int cases = 0;
    int failed = 0;
};

bool worse(const engine::VerifyCase& a, const engine::VerifyCase& b)
{
    const double left = a.error / a.bound, right = b.error / b.bound;
    return !(left <= right); // NaN counts as the worst
}

std::vector<std::string> cells(const engine::VerifyCase& one, const std::string& cases, const std::string& result)
{
    return {one.method,
            one.geometry,
            engine::toText(one.interpolation),
            engine::toText(one.precision),
            std::to_string(one.slicesPerPass),
            cases,
            number(one.error, 3),
            number(one.bound, 3),
            result};
}

void print(const std::vector<engine::VerifyCase>& cases)
{
    std::vector<Summary> summaries; // in the order of the cases
    std::map<std::tuple<std::string, std::string, engine::Interpolation, engine::Precision, int>, std::size_t> places;
    for (const engine::VerifyCase& one : cases) {
        const auto [place, isNew] = places.try_emplace(
            {one.method, one.geometry, one.interpolation, one.precision, one.slicesPerPass}, summaries.size());
        if (isNew)
            summaries.push_back({});
        Summary& summary = summaries[place->second];
        ++summary.cases;
        summary.failed += one.passed ? 0 : 1;
        if (!summary.worst || worse(one, *summary.worst))
            summary.worst = &one;
    }
    std::vector<std::vector<std::string>> rows = {
        {"method", "geometry", "interpolation", "precision", "slices", "cases", "worst error", "bound", "result"}};
    for (const Summary& summary : summaries)
        rows.push_back(cells(*summary.worst, std::to_string(summary.cases), summary.failed == 0 ? "PASS" : "FAIL"));
    std::cout << "Relative error against exact with the same interpolation, on random data:\n\n" << table(rows);
    for (const engine::VerifyCase& one : cases)
        if (!one.passed)
            std::cout << "FAIL: " << joined(cells(one, "size " + std::to_string(one.size), ""), " ") << "projections "
                      << one.projections << ", axis " << number(one.axisBins, 7)
                      << (one.detail.empty() ? "" : ", " + one.detail) << '\n';
}

int runVerify(VerifyOptions options, std::stop_token stop)
{
    ReportFile report(options.json, options.overwrite);
    options.verify.device = engine::deviceFromText(options.device);
    engine::requireDevice(options.verify.device, "; use --device cpu");
    engine::requireVariant(options.verify.device, options.verify.variant);
    std::vector<engine::VerifyCase> cases;
    {
        ProgressBar bar;
        int done = 0;
        cases = engine::verifyMethods(
            options.verify,
            [&](const engine::VerifyCase& one) {
                // The number of cases is not known in advance: the bar approaches its end without reaching it.
                ++done;
                bar.show(done / (done + 100.0), one.method + " " + engine::toText(one.interpolation));
            },
            stop);
    }
    if (cases.empty())
        throw engine::Error(engine::ErrorKind::device,
                            "nothing was verified: no method runs on the device " + options.device);
    const auto failed = std::count_if(cases.begin(), cases.end(), [](const auto& one) { return !one.passed; });
    report.write(engine::verifyJson(cases));
    if (report.textWanted()) {
        print(cases);
        std::cout << '\n'
                  << (failed == 0 ? "PASS" : "FAIL") << ": " << cases.size() - failed << " of " << cases.size()
                  << " cases within their bounds\n";
    }
    return failed == 0 ? 0 : 1;
}

} // namespace

Command verifyCommand(CLI::App& program)
{
    CLI::App* command = program.add_subcommand("verify", "Check every method against the exact one on this machine");
    command->footer("Exit status 1 when a method is outside its bound, or when nothing could be checked.\n\n"
                    "Examples:\n"
                    "  sinoscope-cli verify\n"
                    "  sinoscope-cli verify --geometry cone\n"
                    "  sinoscope-cli verify --device cuda:0 --json verify.json");
    const auto options = std::make_shared<VerifyOptions>();
    addGeometry(*command, options->verify.geometry)->description("Only methods of this geometry");
    addDevice(*command, options->device);
    addMethods(*command, options->verify.methods);
    addVariant(*command, options->verify.variant);
    addThreads(*command, options->verify.threads);
    addJson(*command, options->json, options->overwrite);
    return {command, [options](std::stop_token stop) { return runVerify(*options, stop); }};
}

} // namespace cli
