// SPDX-License-Identifier: GPL-3.0-or-later
// Filtering and back-projection on one NVIDIA GPU. The header uses no CUDA types; in a build without CUDA the
// constructor throws.
#pragma once

#include "engine/backproject/method.h"
#include "engine/backproject/parallel/cuda/kernels.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace engine::cuda
{

struct PipelineTimes {
    double prepareSeconds = 0; // preparation of recorded rows, from events
    bool unprepared = false;   // see LaunchReport
    double filterSeconds = 0;  // transforms and interleaving, from events
    bool filterReused = false;
    double kernelSeconds = 0;  // back-projection alone, from events
    double totalSeconds = 0;   // from host memory to host memory; includes the original time of a reused filter
    int substitutedSlices = 0; // slices with values that aren't finite: back-projected again by the substitute
};

// Pipeline with separate streams for copies and kernels, three slots in turn and pinned memory (Chilingaryan et al.
// 2018, section II): while one pass of slices is back-projected, the next one is uploaded and the previous one
// downloaded (HostCopies). If a request is a single pass, its filtered sinograms stay on the device, so that a launch
// with another kernel or axis only back-projects. Where a kernel's result would be wrong, its substitute replaces it
// (Kernels). For one thread at a time. Everything throws Error(device, noMemory, badRequest, cancelled).
class Pipeline
{
  public:
    explicit Pipeline(int deviceIndex);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    int deviceIndex() const;
    // arguments.sinograms: filtered ones as floats; prepared ones if the arguments have a filter.
    PipelineTimes run(const Kernels& kernels, const LaunchArguments& arguments);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::cuda
