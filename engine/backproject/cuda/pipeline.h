// Filters and back-projects on one NVIDIA GPU. No CUDA types: compiled without CUDA it throws.
#pragma once

#include "engine/backproject/method.h"
#include "engine/prepare/prepare.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace engine::cuda
{

// What a run needs, as values and references that outlive the call.
struct PipelineJob {
    const Method& method; // a row of the table with a kernel
    const Request& request;
    const Sinograms& sinograms; // prepared rows; those of the request begin at slice `first`
    int first = 0;
    const std::vector<double>& weights; // one per projection
    const ParallelBeam& beam;           // axisBins filled
    const SliceGrid& grid;
    Volume& image; // [request.slices.count][grid.height][grid.width]
    std::function<void(double)> progress;
    std::stop_token stop; // asked between passes
};

struct PipelineTimes {
    double filterSeconds = 0; // upload, transforms and interleaving, from events
    bool filterReused = false;
    double kernelSeconds = 0; // back-projection alone, from events
    double totalSeconds = 0;  // host memory to host memory; with a reused filter its seconds are counted again
    int mendedSlices = 0;     // with values that aren't finite: by `alu`, which keeps them to their own pixels
};

// Streams of their own for copies and kernels, three buffers in turn and pinned memory (001, section II): while a pass
// of slices is back-projected, the next one is uploaded and the last one downloaded (HostCopies). The filtered
// sinograms of a request of one pass stay on the device, so that another kernel or axis only back-projects.
// `tensor` reads 16 neighbouring bins for a tile of pixels, most with the weight 0. Where that is wrong `alu` takes
// its place: coarse previews, whose tiles meet more bins, and passes with values that aren't finite (0·∞ isn't 0).
// One thread at a time. Everything throws Error(device, noMemory, badRequest, cancelled).
class Pipeline
{
  public:
    explicit Pipeline(int deviceIndex);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    int deviceIndex() const;
    std::string deviceName() const;
    PipelineTimes run(const PipelineJob& job);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::cuda
