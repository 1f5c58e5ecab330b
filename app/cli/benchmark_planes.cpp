// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/benchmark_planes.h"

#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"

#include <iostream>

namespace cli
{

int measuredPlanes(const engine::PlaneBenchmarkOptions& asked, ReportFile& report, const std::stop_token& stop)
{
    const engine::PlaneBenchmark measured = [&] {
        ProgressBar bar(true);
        return engine::benchmarkPlanes(
            asked, [&bar](double fraction, const std::string& doing) { bar.show(fraction, doing); }, stop);
    }();
    const engine::PlaneBenchmarkOptions& options = measured.options;
    report.write(engine::planeBenchmarkJson(measured));
    if (!report.textWanted())
        return 0;
    std::vector<std::vector<std::string>> cells = {{"plane", "method", "kernel", "kernel GU/s", "whole"}};
    for (const engine::MeasuredPlane& row : measured.planes)
        cells.push_back(
            {row.plane, row.method, seconds(row.kernelSeconds), number(row.kernelGups, 4), seconds(row.wholeSeconds)});
    std::cout << plain(measured.device) << ", " << options.geometry << " beam, "
              << (options.scan ? plain(options.scan->name) + ", rows of " + std::to_string(options.size) + " bins"
                               : "planes of " + std::to_string(options.size) + "² pixels")
              << " from " << options.projections << " projections, " << engine::toText(options.interpolation) << ", "
              << engine::toText(options.precision) << "\n\n"
              << table(cells) << "\nStarting the device: " << seconds(measured.startSeconds)
              << (measured.coarseSeconds
                      ? "\nThree coarse planes from every eighth projection: " + seconds(*measured.coarseSeconds) +
                            (options.scan ? "" : ", without simulating the scan")
                      : "")
              << "\nFirst plane, with reading and filtering of all rows: " << seconds(measured.firstSeconds)
              << (options.scan ? " (reading " : " (simulating the scan ") << seconds(measured.readSeconds)
              << ", preparing " << seconds(measured.prepareSeconds) << ", filtering " << seconds(measured.filterSeconds)
              << ")"
              << "\nFirst three planes: " << seconds(measured.firstThreeSeconds)
              << "\nThree planes (x, y, z) after a move of the cross-hair: " << seconds(measured.moveSeconds) << ", "
              << number(1 / measured.moveSeconds, 3) << " per second\n";
    return 0;
}

} // namespace cli
