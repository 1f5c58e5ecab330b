// SPDX-License-Identifier: GPL-3.0-or-later
// Filters and back-projects on one NVIDIA GPU. No CUDA types: compiled without CUDA it throws.
#pragma once

#include "engine/backproject/method.h"
#include "engine/backproject/parallel/cuda/kernels.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace engine::cuda
{

struct PipelineTimes {
    double prepareSeconds = 0; // of recorded rows, from events
    bool unprepared = false;   // LaunchReport
    double filterSeconds = 0;  // upload, transforms and interleaving, from events
    bool filterReused = false;
    double kernelSeconds = 0; // back-projection alone, from events
    double totalSeconds = 0;  // host memory to host memory; with a reused filter its seconds are counted again
    int substitutedSlices =
        0; // with values that aren't finite: by the substitute, which keeps them to their own pixels
};

// Streams of their own for copies and kernels, three buffers in turn and pinned memory (Chilingaryan et al. 2018,
// section II): while a pass of slices is back-projected, the next one is uploaded and the last one downloaded
// (HostCopies). The filtered sinograms of a request of one pass stay on the device, so that another kernel or axis only
// back-projects. Where a kernel would be wrong its substitute takes its place (Kernels). One thread at a time.
// Everything throws Error(device, noMemory, badRequest, cancelled).
class Pipeline
{
  public:
    explicit Pipeline(int deviceIndex);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    int deviceIndex() const;
    // The arguments' sinograms in floats; prepared ones where they have a filter.
    PipelineTimes run(const Kernels& kernels, const LaunchArguments& arguments);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::cuda
