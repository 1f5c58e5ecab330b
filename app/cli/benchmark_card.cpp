// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/benchmark_card.h"

#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/measure/limits.h"

#include <iostream>

namespace cli
{

int measuredCard(const engine::CardOptions& options, ReportFile& report, const std::stop_token& stop)
{
    const engine::MachineCard card = [&] {
        MeasurementProgress bar("Measures every method that `auto` may choose, with each interpolation, precision and "
                                "number of slices per pass");
        return engine::measureCard(
            options, [&bar](double fraction, const std::string& doing) { bar.show(fraction, doing); }, stop);
    }();
    report.write(engine::cardJson(card));
    if (!report.textWanted())
        return 0;
    std::vector<std::vector<std::string>> cells = {
        {"setting", "fastest method", "slices per pass", "kernel GU/s", "total GU/s", "of its limit", "error"}};
    for (const engine::CardRow& row : card.rows)
        cells.push_back({engine::cardLabel(row), row.fastest.method, std::to_string(row.fastest.slicesPerPass),
                         number(row.fastest.kernelGups, 5), number(row.fastest.totalGups, 5),
                         engine::limiterText(row.fastest.kernelGups, row.fastest.limits), number(row.error, 3)});
    std::cout
        << plain(card.device) << ", " << card.size << "² pixels from " << card.projections << " projections\n\n"
        << table(cells)
        << "\n2048³ voxels from 2048 projections, linear, memory to memory, at the highest total speed: "
        << seconds(card.volumeSeconds)
        << "\nError: RMSE against the exact method, as a share of the image's range, on the Shepp-Logan phantom.\n"
        << plain(card.command) << "; version " << card.version << ", " << card.date << '\n';
    return 0;
}

} // namespace cli
