// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/slice_division.h"

#include "engine/backends/devices.h"
#include "engine/base/machine.h"
#include "engine/resolve/resolve.h"

#include <algorithm>

namespace engine
{

std::vector<RowRange> divide(const std::vector<RowRange>& parts, int ranks)
{
    double all = 0;
    for (const RowRange& part : parts)
        all += part.count;
    std::vector<RowRange> runs;
    auto next = parts.begin();
    const int first = parts.empty() ? 0 : parts.front().first;
    int done = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        // The run ends with the part whose end is nearest to the end of the rank's even share. One part is left for
        // each later rank.
        RowRange run{first + done, 0};
        const double end = all * (rank + 1) / ranks;
        const auto mayTake = [&] { return parts.end() - next > ranks - rank - 1 && done + next->count / 2.0 <= end; };
        while (next != parts.end() && (run.count == 0 || mayTake())) {
            run.count += next->count;
            done += next++->count;
        }
        runs.push_back(run);
    }
    return runs;
}

bool scalesGroups(const Request& request)
{
    return request.setting.kernel.precision == Precision::half && resolve(request).method->backend->isProcessor;
}

std::vector<RowRange> partsOf(const Request& request, const VolumePlan& plan)
{
    const RowRange& slices = request.place.slices();
    const int pass = passOf(request);
    if (scalesGroups(request))
        return groupsOf(slices, plan, pass);
    std::vector<RowRange> passes;
    for (int first = 0; first < slices.count; first += pass)
        passes.push_back({slices.first + first, std::min(pass, slices.count - first)});
    return passes;
}

std::vector<std::size_t> gpusOf(const Neighbours& neighbours, std::size_t gpus)
{
    const auto rank = static_cast<std::size_t>(neighbours.rank), ranks = static_cast<std::size_t>(neighbours.count);
    if (gpus <= ranks)
        return {rank % gpus};
    std::vector<std::size_t> own;
    for (std::size_t gpu = rank * gpus / ranks; gpu < (rank + 1) * gpus / ranks; ++gpu)
        own.push_back(gpu);
    return own;
}

void takeShareOfMachine(Request& request, const Ensemble& ensemble, bool mayChoosePasses)
{
    if (ensemble.size() == 1)
        return;
    const Neighbours neighbours = ensemble.neighbours();
    Resources& resources = request.resources;
    if (resources.threads == 0)
        resources.threads = neighbours.threads;
    if (resources.memoryLimitBytes == 0)
        resources.memoryLimitBytes = machineMemoryBytes() / 2 / neighbours.count;
    const bool isAutomatic = resources.device.isAutomatic();
    if (isAutomatic || resources.device.index == DeviceSettings::all) {
        const std::vector<DeviceSettings> all =
            usableDevices(isAutomatic ? *resolve(request).method->backend : backendOf(resources.device));
        std::vector<DeviceSettings> own;
        if (all.size() > (isAutomatic ? 1 : 0))
            for (const std::size_t gpu : gpusOf(neighbours, all.size()))
                own.push_back(all[gpu]);
        if (!own.empty())
            resources.device = own.front();
        if (!isAutomatic && !own.empty())
            resources.others.insert(resources.others.begin(), own.begin() + 1, own.end());
    }
    if (!mayChoosePasses)
        return;
    chooseSlicesPerPass(request);
    const int count = request.place.slices().count, pass = request.setting.kernel.slicesPerPass;
    // With fewer slices per pass, more ranks have slices. This is worth while even for passes of one slice, which take
    // no longer than passes of several. For cone beams it is only worth while from 16 slices per rank on: short columns
    // of voxels are slow, and ranks without slices share the projections instead.
    const int worthWhile = takesConeBeam(request.scan->geometry) ? 16 * ensemble.size() : 2;
    if ((count + pass - 1) / pass >= std::min(ensemble.size(), count) || count < worthWhile)
        return;
    Request part = request;
    part.place.setSlices({request.place.slices().first, std::max(1, count / ensemble.size())});
    chooseSlicesPerPass(part);
    request.setting.kernel.slicesPerPass = part.setting.kernel.slicesPerPass;
}

} // namespace engine
