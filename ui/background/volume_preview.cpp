// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/volume_preview.h"

#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/base/machine.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "engine/volume/reconstruct_volume.h"

#include <algorithm>

namespace ui
{

namespace
{

constexpr double smallVoxels = 64 << 20; // takes seconds to reconstruct and draw
// The stack, the previous one that is still shown, and the drawn copy.
constexpr double bytesPerVoxel = 3 * sizeof(float);

} // namespace

engine::Request wholeOf(const engine::Request& request)
{
    engine::Place place = request.place;
    place.setSlices({0, request.scan->slices()});
    return partOf(request, place);
}

engine::Request partOf(const engine::Request& request, const engine::Place& place)
{
    engine::Request part = request;
    part.place = place;
    if (part.setting.kernel.method == "auto") // a volume can be faster with more slices per pass than one slice
        engine::chooseSlicesPerPass(part);
    return part;
}

std::array<int, 3> sizeOfStack(const std::shared_ptr<const engine::Scan>& scan, int step)
{
    engine::Request request;
    request.scan = scan;
    request.place.previewStep = step;
    const engine::VolumeGrid grid = engine::sectionOf(request).grid;
    return {grid.width, grid.height, (scan->slices() + step - 1) / step};
}

int proposedStep(const std::shared_ptr<const engine::Scan>& scan)
{
    const auto [width, height, slices] = sizeOfStack(scan, 1);
    const double voxels = static_cast<double>(width) * height * slices;
    return voxels <= smallVoxels && bytesPerVoxel * voxels <= engine::machineMemoryBytes() / 4 ? 1 : 2;
}

// A whole stack is reconstructed as when it is saved: several slices simultaneously, while others are read and
// prepared.
std::shared_ptr<const engine::Reconstruction> reconstructStack(const engine::Request& request, int step,
                                                               const std::function<void(double)>& progress,
                                                               std::stop_token stop)
{
    const int slices = request.scan->slices();
    const int count = (slices + step - 1) / step;
    auto whole = std::make_shared<engine::Reconstruction>();
    const auto add = [&](const engine::Reconstruction& part) {
        if (whole->image.values.empty()) {
            *whole = part;
            whole->request.place = request.place;
            whole->request.place.setSlices({0, slices});
            whole->request.place.previewStep = step;
            whole->image = engine::Volume(count, part.image.height, part.image.width);
        }
        int done = 0;
        for (const engine::RowRange& run : engine::runsOf(part.request.place))
            for (int k = 0; k < run.count; ++k)
                std::ranges::copy(part.image.slice(done++), whole->image.slice((run.first + k) / step).begin());
    };
    if (step == 1) {
        const engine::Request all = wholeOf(request);
        engine::reconstructVolume(
            all, engine::planVolume(all),
            [&](const engine::Reconstruction& group, const std::stop_token&) { add(group); },
            [&](double fraction, const engine::RowRange&, engine::Stage) { progress(fraction); }, stop);
        return whole;
    }
    engine::Reconstructor reconstructor; // finds the axis once
    engine::Request part = request;
    part.place.previewStep = step; // one slice at a time: a pass takes as few as the method allows
    part.setting.kernel.slicesPerPass = engine::resolve(request).method->slicesPerPass.front();
    for (int k = 0; k < count; ++k) {
        engine::throwIfStopped(stop);
        part.place.setSlices({k * step, 1});
        add(reconstructor.run(part, {}, stop));
        progress(double(k + 1) / count);
    }
    return whole;
}

} // namespace ui
