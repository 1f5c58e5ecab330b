// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/volume_preview.h"

#include "engine/backproject/method.h"
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

// Uses the axis that was found in the first group for all others.
engine::Request withAxisFixed(const engine::Request& request, const engine::Reconstruction& first)
{
    engine::Request fixed = request;
    if (first.axisSource == "automatic" || first.axisSource == "guess")
        fixed.setting.axis = {engine::AxisSettings::Mode::given, first.axisBins};
    return fixed;
}

using Whole = std::shared_ptr<const engine::Reconstruction>;

// Slices of a cone beam share most of their rows: several are reconstructed simultaneously, as when a volume is
// saved.
Whole reconstructCone(const engine::Request& request, const std::function<void(double)>& progress,
                      const std::stop_token& stop)
{
    const engine::Request all = wholeOf(request);
    auto whole = std::make_shared<engine::Reconstruction>();
    const auto take = [&](const engine::Reconstruction& group, const std::stop_token&) {
        if (whole->image.values.empty()) {
            *whole = group;
            whole->request.place = all.place;
            whole->image = engine::Volume(all.place.slices.count, group.image.height, group.image.width);
        }
        int done = 0;
        for (const engine::RowRange& run : engine::runsOf(group.request.place))
            for (int k = 0; k < run.count; ++k)
                std::ranges::copy(group.image.slice(done++), whole->image.slice(run.first + k).begin());
    };
    engine::reconstructVolume(
        all, engine::planVolume(all), take,
        [&progress](double fraction, const engine::RowRange&, engine::Stage) { progress(fraction); }, stop);
    return whole;
}

} // namespace

engine::Request wholeOf(const engine::Request& request)
{
    engine::Place place = request.place;
    place.slices = {0, request.scan->slices()};
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

std::shared_ptr<const engine::Reconstruction> reconstructStack(const engine::Request& request, int step,
                                                               const std::function<void(double)>& progress,
                                                               std::stop_token stop)
{
    if (step == 1 && std::holds_alternative<engine::ConeBeam>(request.scan->geometry))
        return reconstructCone(request, progress, stop);
    const int slices = request.scan->slices();
    const int count = (slices + step - 1) / step;
    const int group = step == 1 ? std::min(request.setting.kernel.slicesPerPass, slices) : 1;
    engine::Reconstructor reconstructor;
    engine::Request part = request;
    part.place.previewStep = step;
    if (step > 1) // slices are reconstructed one at a time: a pass takes as few as the method allows
        part.setting.kernel.slicesPerPass = engine::resolve(request).method->slicesPerPass.front();
    auto whole = std::make_shared<engine::Reconstruction>();
    for (int k = 0; k < count; k += group) {
        engine::throwIfStopped(stop);
        part.place.slices = {k * step, std::min(group, count - k)};
        engine::Reconstruction result = reconstructor.run(part, {}, stop);
        if (k == 0) {
            part = withAxisFixed(part, result);
            engine::Volume volume(count, result.image.height, result.image.width);
            *whole = result;
            whole->image = std::move(volume);
            whole->request.place.slices = {0, slices};
        }
        std::copy(result.image.values.begin(), result.image.values.end(),
                  whole->image.values.begin() + static_cast<std::ptrdiff_t>(k * whole->image.sliceSize()));
        progress(double(k + part.place.slices.count) / count);
    }
    return whole;
}

} // namespace ui
