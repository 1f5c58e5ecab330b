// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/tune.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/backends/devices.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace cli
{

namespace
{

struct TuneOptions {
    engine::BenchmarkOptions tune;
    std::string device = "auto", json;
    bool overwrite = false, forget = false;
};

void print(const std::vector<engine::TunedChoice>& choices, const std::vector<engine::MeasuredSpeed>& speeds)
{
    std::vector<std::vector<std::string>> cells = {
        {"interpolation", "precision", "slices", "auto before", "GU/s", "auto now", "GU/s", "gain"}};
    for (const engine::TunedChoice& choice : choices)
        cells.push_back({engine::toText(choice.interpolation), engine::toText(choice.precision),
                         std::to_string(choice.slicesPerPass), choice.before,
                         choice.beforeGups > 0 ? number(choice.beforeGups) : "–", choice.after,
                         number(choice.afterGups),
                         choice.beforeGups > 0 ? number(choice.afterGups / choice.beforeGups, 3) + " ×" : "–"});
    std::cout << speeds.front().device << "; kernel speeds\n\n" << table(cells);
    const std::string& first = speeds.front().method;
    if (std::ranges::all_of(speeds, [&](const engine::MeasuredSpeed& speed) { return speed.method == first; }))
        std::cout << "\n`" << first
                  << "` is the only method here: the speeds decide only how many slices a pass has.\n";
    std::cout << "\nKept in '" << plain(engine::measuredSpeedsFile().string()) << "'"
              << ": `auto` chooses by these speeds from now on. `tune --forget` removes them.\n";
}

int runTune(TuneOptions options, const std::stop_token& stop)
{
    if (options.forget) {
        const std::string file = "'" + plain(engine::measuredSpeedsFile().string()) + "'";
        std::cout << (engine::forgetMeasuredSpeeds()
                          ? file + " is removed: `auto` goes by the speeds of an H200 again.\n"
                          : "There are no measured speeds.\n");
        return 0;
    }
    ReportFile report(options.json, options.overwrite);
    options.tune.device = engine::deviceFromText(options.device);
    engine::requireDevice(options.tune.device, "; use --device cpu");
    std::vector<engine::MeasuredSpeed> speeds;
    {
        ProgressBar bar(true);
        bar.show(0, "warming up");
        speeds = engine::measureSpeeds(
            options.tune,
            {.onProgress = [&bar](double fraction, const std::string& doing) { bar.show(fraction, doing); }}, stop);
    }
    engine::keepMeasuredSpeeds(speeds);
    report.write(engine::measuredSpeedsJson(speeds));
    if (report.textWanted())
        print(engine::tunedChoices(speeds, options.tune.device), speeds);
    return 0;
}

} // namespace

Command tuneCommand(CLI::App& program)
{
    CLI::App* command =
        program.add_subcommand("tune", "Measure the methods on this machine, so that `auto` takes the fastest ones");
    command->footer("Examples:\n"
                    "  sinoscope-cli tune\n"
                    "  sinoscope-cli tune --geometry cone --device cuda:1\n"
                    "  sinoscope-cli tune --forget");
    const auto options = std::make_shared<TuneOptions>();
    addGeometry(*command, options->tune.geometry)
        ->description("Methods for parallel beams, or for cone beams")
        ->capture_default_str();
    addDevice(*command, options->device);
    addThreads(*command, options->tune.threads);
    command
        ->add_option(
            "--size", options->tune.size,
            "Number of bins, and of pixels along each side of a slice; a cone's volume has a quarter along each "
            "side")
        ->type_name("N")
        ->check(wholeNumber(16, 65536))
        ->default_str(std::to_string(engine::tunedSize));
    command->add_option("--projections", options->tune.projections, "Number of projections")
        ->type_name("P")
        ->check(wholeNumber(1, 1'000'000))
        ->default_str("512");
    command->add_option("--repeat", options->tune.repeat, "Timed runs of each setting, after one warm-up run")
        ->type_name("R")
        ->check(wholeNumber(1, 100'000))
        ->capture_default_str();
    addJson(*command, options->json, options->overwrite);
    CLI::Option* forget =
        command->add_flag("--forget", options->forget, "Remove the measured speeds of all devices instead");
    for (CLI::Option* other : command->get_options())
        if (other != forget && other != command->get_help_ptr())
            forget->excludes(other);
    return {command, [options](std::stop_token stop) { return runTune(*options, stop); }};
}

} // namespace cli
