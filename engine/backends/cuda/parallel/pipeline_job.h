// SPDX-License-Identifier: GPL-3.0-or-later
// State of a pipeline: the launch, and each pass of its slices.
#pragma once

#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/device/device_timer.h"
#include "engine/backends/cuda/device/texture.h"
#include "engine/backends/cuda/parallel/kernels.h"
#include "engine/backends/method.h"

#include <optional>

namespace engine::cuda
{

// Buffers and events of one pass of slices. Three slots are used in turn: one is uploaded, one back-projected, one
// downloaded.
struct PassSlot {
    DeviceBuffer<float> image;
    DeviceBuffer<unsigned> nonFinite; // flag of the filtered sinograms
    std::optional<Texture> texture;
    const DeviceTimer::Span* kernel = nullptr; // times of its back-projection
    int firstSlice = 0, slices = 0;            // slices under way; 0: none
};

struct PipelineJob {
    const Kernels& kernels;
    const LaunchArguments& launch;

    // coarse: pixels are more than a bin apart. substituted: the substitute kernel does the whole launch.
    bool coarse() const { return launch.grid.step > 1; }
    bool substituted() const { return kernels.substitute && coarse(); }
    bool tensorLayout() const { return kernels.tensorLayout && !substituted(); }
    // Returns whether each pass must be checked for values that aren't finite.
    bool wantsFinite() const { return kernels.substitute && !substituted(); }
    int slicesPerPass() const { return launch.kernel.slicesPerPass; }
    std::optional<StoredKey> key() const
    {
        if (substituted() || launch.preparation || !launch.filter || !launch.filter->key)
            return std::nullopt; // nothing is cached or reused
        return StoredKey{*launch.filter->key, launch.kernel.precision, slicesPerPass(), kernels.tensorLayout};
    }
};

} // namespace engine::cuda
