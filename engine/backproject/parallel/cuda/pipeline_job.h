// SPDX-License-Identifier: GPL-3.0-or-later
// What a pipeline is at: the launch, and each pass of its slices.
#pragma once

#include "engine/backproject/method.h"
#include "engine/backproject/parallel/cuda/kernels.h"
#include "engine/cuda/buffer.h"
#include "engine/cuda/stream.h"
#include "engine/cuda/texture.h"

#include <optional>

namespace engine::cuda
{

// What one pass of slices needs. Three take turns: one is uploaded, one back-projected, one copied out.
struct Slot {
    DeviceBuffer<char> recorded; // as stored, where they are prepared here
    DeviceBuffer<float> raw, image;
    DeviceBuffer<unsigned> nonFinite; // of the filtered sinograms
    std::optional<Texture> texture;
    Event prepareBegun, filterBegun, filtered, kernelBegun, kernelEnded;
    int firstSlice = 0, slices = 0; // under way; 0: none
};

struct PipelineJob {
    const Kernels& kernels;
    const LaunchArguments& launch;

    // Whether the substitute does all of it.
    bool coarse() const { return launch.grid.step > 1; }
    bool substituted() const { return kernels.substitute && coarse(); }
    bool tensorLayout() const { return kernels.tensorLayout && !substituted(); }
    // Whether a pass has to be looked at for values that aren't finite.
    bool wantsFinite() const { return kernels.substitute && !substituted(); }
    int slicesPerPass() const { return launch.kernel.slicesPerPass; }
    std::optional<StoredKey> key() const
    {
        if (substituted() || launch.preparation || !launch.filter || !launch.filter->key)
            return std::nullopt; // nothing is kept, nor found
        return StoredKey{*launch.filter->key, launch.kernel.precision, slicesPerPass(), kernels.tensorLayout};
    }
};

} // namespace engine::cuda
