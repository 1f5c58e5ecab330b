// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/benchmark_beside.h"

#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/documents/measured_report.h"
#include "engine/measure/published_speeds.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace cli
{

namespace
{

// Returns a bar of up to `widest` characters for a share between 0 and 1.
std::string barOf(double share)
{
    constexpr int widest = 30;
    std::string bar;
    for (int k = 0; k < std::max(1L, std::lround(widest * share)); ++k)
        bar += "█";
    return bar;
}

void print(const std::vector<engine::OtherProgram>& programs, const engine::OthersOptions& options)
{
    std::vector<std::vector<std::string>> cells = {
        {"program", "runs on", "time", "total GU/s", "Sinoscope is", "RMSE", "difference", ""}};
    double fastest = 0;
    for (const engine::OtherProgram& one : programs)
        fastest = std::max(fastest, one.gups);
    bool isOther = false;
    for (const engine::OtherProgram& one : programs) {
        isOther = isOther || !one.isOurs;
        if (one.seconds > 0)
            cells.push_back({plain(one.name), plain(one.device), seconds(one.seconds), number(one.gups, 3),
                             one.isOurs ? "" : number(one.timesAsLong, 2) + " × as fast", number(one.rmse, 3),
                             one.isOurs ? "" : number(one.difference, 3),
                             one.problem.empty() ? barOf(one.gups / fastest) : plain(one.problem)});
        else
            cells.push_back({plain(one.name), "", "", "", "", "", "", plain(one.problem)});
    }
    std::cout << options.size << "² pixels from " << options.projections
              << " projections; medians, from the sinogram in memory to the image in memory, with the filter\n\n"
              << table(cells)
              << "\nRMSE: against the phantom, in a disc of 90 % of the width. Difference: root mean square against "
                 "Sinoscope's image there.\nSinoscope is: one core against one core, otherwise all that it uses.\n";
    if (!isOther)
        std::cout << "'" << plain(options.python) << "' has none of scikit-image, ASTRA, silx and tomopy.\n";
}

} // namespace

int benchmarkBeside(const engine::OthersOptions& asked, ReportFile& report, const std::stop_token& stop)
{
    engine::OthersOptions options = asked;
    options.projections = engine::projectionsOf(asked);
    std::cerr << "Runs each program of '" << plain(options.python) << "' " << options.repeat + 1
              << " times on the same sinogram.\n";
    const std::vector<engine::OtherProgram> programs = [&] {
        ProgressBar bar(true);
        return engine::measureOthers(
            options, [&bar](double fraction) { bar.show(fraction, "measuring"); }, stop);
    }();
    report.write(engine::othersJson(programs, options));
    if (report.textWanted())
        print(programs, options);
    return 0;
}

int listElsewhere(ReportFile& report)
{
    report.write(engine::publishedJson());
    if (!report.textWanted())
        return 0;
    const char* begin = "";
    for (const engine::PublishedGroup& group : engine::publishedGroups()) {
        const double fastest = group.speeds.front().gups;
        std::vector<std::vector<std::string>> cells;
        for (const engine::PublishedSpeed& one : group.speeds)
            cells.push_back({one.program, one.what, number(one.gups, 4) + " GU/s", barOf(one.gups / fastest)});
        std::cout << begin << group.device << ": " << group.problem << '\n'
                  << table(cells) << group.date << ". " << group.source << '\n';
        begin = "\n";
    }
    return 0;
}

} // namespace cli
