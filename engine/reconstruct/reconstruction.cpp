// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/reconstruction.h"

#include "engine/backends/method.h"
#include "engine/base/giga_updates.h"
#include "engine/scan/empty_projections.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace engine
{

std::string toText(Stage stage)
{
    switch (stage) {
    case Stage::read:
        return "read";
    case Stage::prepare:
        return "prepare";
    case Stage::axis:
        return "axis";
    case Stage::filter:
        return "filter";
    case Stage::backproject:
        break;
    }
    return "back-project";
}

double overlapOf(const Timings& times)
{
    const double stages = times.read.seconds + times.prepare.seconds + times.axis.seconds + times.totalSeconds +
                          times.exchangeSeconds + times.reduceSeconds + times.writeSeconds;
    return times.elapsedSeconds > 0 ? stages / times.elapsedSeconds : 0;
}

const Method* methodOf(const Reconstruction& made)
{
    return findMethod(made.method, geometryOf(made.request));
}

std::vector<Text> warningsOf(const Reconstruction& made)
{
    std::vector<Text> warnings;
    if (!made.request.scan)
        return warnings;
    const Scan& scan = *made.request.scan;
    if (Text text = emptyText(scan, made.emptyProjections); !text.empty())
        warnings.push_back(std::move(text));
    for (const Doubt& doubt : made.doubts)
        warnings.push_back(doubtText(scan, doubt));
    return warnings;
}

std::vector<Text> doubtsAbout(const Reconstruction& made)
{
    std::vector<Text> reasons = warningsOf(made);
    if (!made.axisDoubt.empty())
        reasons.push_back(made.axisDoubt);
    if (!made.request.scan)
        return reasons;
    const Scan& scan = *made.request.scan;
    if (!scan.quantityDoubt.empty())
        reasons.push_back(scan.quantityDoubt);
    if (scan.likelierTurn)
        reasons.push_back(likelierText(*scan.likelierTurn));
    else if (const auto& turn = scan.assumedTurn; turn && !turn->isSure() && made.axisDoubt.empty())
        reasons.push_back("The angles are a guess: " + certaintyText(*turn) + ".");
    return reasons;
}

std::vector<int> spoilingProjections(const Reconstruction& made)
{
    std::vector<int> all = made.emptyProjections;
    for (const Doubt& doubt : made.doubts) {
        std::vector<int> both;
        std::ranges::set_union(all, doubt.projections, std::back_inserter(both));
        all = std::move(both);
    }
    return all;
}

void setFigures(Reconstruction& result)
{
    const double voxels = static_cast<double>(result.grid.width) * result.grid.height * result.grid.slices;
    const double projections = projectionsOf(result.request);
    result.kernelGups = gigaUpdatesPerSecond(voxels, projections, result.timings.kernelSeconds);
    result.totalGups = gigaUpdatesPerSecond(voxels, projections, result.timings.totalSeconds);
    if (result.texelsPerSecond > 0)
        result.texturePeakShare =
            result.kernelGups * 1e9 / (result.texelsPerSecond * result.request.setting.kernel.slicesPerPass);
}

} // namespace engine
