// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/launch_both_ends.h"

#include <algorithm>
#include <utility>

namespace engine
{

LaunchReport launchBothEnds(DeviceSession& session, const Method& method, const LaunchArguments& arguments)
{
    Volume& image = arguments.image;
    const VolumeGrid& all = arguments.grid;
    LaunchReport report;
    const int upper = (image.slices + 1) / 2, lower = image.slices - upper;
    for (const RowRange& run : {RowRange{0, upper}, RowRange{all.slices - lower, lower}}) {
        VolumeGrid grid = all;
        grid.z0 += run.first * all.dz;
        grid.slices = run.count;
        Volume part(run.count, image.height, image.width);
        const int before = run.first > 0 ? upper : 0; // slices of the image before this part
        const auto onProgress = [&](double fraction) {
            if (arguments.progress)
                arguments.progress((before + fraction * run.count) / image.slices);
        };
        const LaunchReport made = session.run(method, {.sinograms = arguments.sinograms,
                                                       .firstRow = arguments.firstRow,
                                                       .geometry = arguments.geometry,
                                                       .grid = grid,
                                                       .kernel = arguments.kernel,
                                                       .threads = arguments.threads,
                                                       .deviceIndex = arguments.deviceIndex,
                                                       .filter = arguments.filter,
                                                       .preparation = arguments.preparation,
                                                       .image = part,
                                                       .progress = onProgress,
                                                       .stop = arguments.stop});
        std::ranges::copy(part.values, image.slice(before).begin());
        LaunchReport sum = made;
        sum.prepareSeconds += report.prepareSeconds;
        sum.unprepared |= report.unprepared;
        sum.filterSeconds += report.filterSeconds;
        sum.kernelSeconds += report.kernelSeconds;
        sum.uploadSeconds += report.uploadSeconds;
        sum.downloadSeconds += report.downloadSeconds;
        sum.totalSeconds += report.totalSeconds;
        report = std::move(sum);
    }
    return report;
}

} // namespace engine
