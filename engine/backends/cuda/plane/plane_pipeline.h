// SPDX-License-Identifier: GPL-3.0-or-later
// Planes on one NVIDIA GPU, from filtered projections that stay in its memory. The header uses no CUDA types.
#pragma once

#include "engine/backends/method.h"

#include <functional>
#include <memory>

namespace engine::cuda
{

// Uploads the projections of a launch once, prepares and filters them if the launch wants that, and stores them in
// groups of rows (row_groups.h): launches with the same LaunchArguments::filteredKey and precision only back-project.
// If the GPU's memory doesn't hold all projections, every launch uploads and filters them, in parts. For one thread at
// a time. Everything throws Error(device, noMemory, badRequest, cancelled).
class PlanePipeline
{
  public:
    // freeOthers: frees memory that other launches left on the device, and returns whether there was any. Called if
    // there is too little for all projections.
    PlanePipeline(int deviceIndex, std::function<bool()> freeOthers);
    ~PlanePipeline();
    PlanePipeline(const PlanePipeline&) = delete;
    PlanePipeline& operator=(const PlanePipeline&) = delete;

    // Returns whether a launch with this key, and with a filter, finds its projections in the GPU's memory. Its
    // sinograms then need no values.
    bool holds(const FilteredKey& filtered, Precision precision) const;
    void dropOthers(const Scan* scan);     // frees the projections of other scans
    long long uploadedProjections() const; // of all launches so far
    void limitMemory(double bytes);        // uses less than the GPU has, for tests; 0: no limit
    LaunchReport run(const LaunchArguments& arguments);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::cuda
