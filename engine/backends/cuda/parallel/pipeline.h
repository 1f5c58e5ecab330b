// SPDX-License-Identifier: GPL-3.0-or-later
// Filtering and back-projection on one NVIDIA GPU. The header uses no CUDA types.
#pragma once

#include "engine/backends/cuda/parallel/kernels.h"
#include "engine/backends/method.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace engine::cuda
{

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

    void dropOthers(const Scan* scan); // forgets the filtered sinograms of other scans, and these scans
    // arguments.sinograms: filtered ones as floats; prepared ones if the arguments have a filter.
    LaunchReport run(const Kernels& kernels, const LaunchArguments& arguments);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::cuda
