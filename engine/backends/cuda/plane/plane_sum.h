// SPDX-License-Identifier: GPL-3.0-or-later
// One plane as the kernels see it: which kernel, which way round, and its projections in blocks.
#pragma once

#include "engine/backends/cuda/device/device_timer.h"
#include "engine/backends/cuda/plane/plane_kernels.h"
#include "engine/backends/plane/plane_views.h"

#include <span>
#include <vector>

namespace engine::cuda
{

// Consecutive projections in device memory.
struct StoredPart {
    const RowGroupMemory* memory = nullptr;
    int first = 0, count = 0; // projections
};

class PlaneSum
{
  public:
    // Throws Error(badRequest) if parts of the arguments don't match, or the detector is too large.
    explicit PlaneSum(const LaunchArguments& arguments);

    const LaunchArguments& launch;
    const RowGroups groups;
    const bool half;

    // Adds the projections of a part to the image in device memory, in launches of some projections. unscale: factor of
    // the values of each projection of the scan. Before each launch, calls next(first projection), which returns the
    // times of the launch, and may throw.
    template <typename Next>
    void addPart(const StoredPart& part, std::span<const float> unscale, const PlaneTarget& target,
                 const Next& next) const
    {
        const std::vector<int> projections = projectionsOf(part);
        const std::size_t most = mostViews(), launches = (projections.size() + most - 1) / most;
        for (std::size_t k = 0; k < launches; ++k) {
            const std::size_t from = projections.size() * k / launches, to = projections.size() * (k + 1) / launches;
            enqueue(part, std::span(projections).subspan(from, to - from), unscale, target, next(projections[from]));
        }
    }

    // Launches the plane's kernel without projections, so that CUDA loads it.
    void load(const StoredPart& part, const PlaneTarget& target) const { enqueue(part, {}, {}, target, {}); }

    // Returns which of the kernels the plane needs, to tell whether it has been loaded.
    int kernel() const;

  private:
    std::vector<int> projectionsOf(const StoredPart& part) const;
    std::size_t mostViews() const { return m_isCone ? mostConePlaneViews : mostParallelPlaneViews; }
    void enqueue(const StoredPart& part, std::span<const int> projections, std::span<const float> unscale,
                 PlaneTarget target, const DeviceTimer::Span& timer) const;
    void fill(ParallelPlaneArguments& arguments, std::span<const int> projections,
              std::span<const float> unscale) const;
    void fill(ConePlaneArguments& arguments, std::span<const int> projections, std::span<const float> unscale) const;
    void turn();
    bool isUpright() const;
    bool isUprightCone() const;

    const bool m_isCone;
    std::vector<PlaneView> m_views; // of the turned plane
    bool m_isTurned = false;        // columns of the image are rows of the kernel's
    bool m_isUpright = false;       // for launchUprightPlane or launchUprightCone
    int m_width, m_height;          // of the kernel's image
};

} // namespace engine::cuda
