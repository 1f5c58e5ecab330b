// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a launch's projections from host memory to groups of rows, prepared and filtered on the way.
#pragma once

#include "engine/backends/cuda/cone/ray_weigher.h"
#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/device/host_copies.h"
#include "engine/backends/cuda/filter/gpu_filter.h"
#include "engine/backends/cuda/plane/plane_sum.h"
#include "engine/backends/cuda/prepare/device_lines.h"

#include <deque>
#include <vector>

namespace engine::cuda
{

// Uploads projections in blocks, two in turn, prepares and filters each block if the launch wants that
// (LaunchArguments::preparation, filter), and stores it while the next one is uploaded. Works on one
// stream. Everything throws Error(device, noMemory, badRequest, cancelled).
class RowGroupFiller
{
  public:
    explicit RowGroupFiller(cudaStream_t stream) : m_stream(stream) {}

    // Begins a launch: allocates the memory for its blocks, so that projections may take what is free afterwards.
    void begin(const PlaneSum& job);

    // Fills the part's memory, and sets the factors by which stored values are to be multiplied. unscale: one per
    // projection of the launch; those of the part change. Waits for the device.
    void fill(const PlaneSum& job, const StoredPart& part, std::vector<float>& unscale);

    // Ends a launch that prepares; waits for the device. Returns whether some lines had no good value: what was stored
    // is then unusable (LaunchReport::unprepared).
    bool finish(const PlaneSum& job);

    double prepareSeconds() const { return m_prepareSeconds; } // since begin()
    double filterSeconds() const { return m_filterSeconds; }   // since begin(); weights and storage included
    long long uploadedProjections() const { return m_uploaded; }

    // Stops the upload; afterwards nothing uses the job.
    void abandon() noexcept { m_uploads.abandon(); }

  private:
    void startUpload(const PlaneSum& job, const StoredPart& part, int index);
    void store(const PlaneSum& job, const StoredPart& part, int index);
    GpuFilter::Rows filter(const PlaneSum& job, float* lines, const RowRange& projections);
    void takeScales(const PlaneSum& job, const StoredPart& part, std::vector<float>& unscale);
    static void addTimes(std::deque<PlaneTimer>& times, double& seconds);

    const cudaStream_t m_stream;
    HostCopies m_uploads{HostCopies::Direction::toDevice};
    struct Incoming {                // two, used in turn
        DeviceBuffer<char> recorded; // [projection][row][bin]
        DeviceBuffer<float> raw;     // [row][projection][bin]
        Event used;
    } m_incoming[2];
    DeviceLines m_lines;
    RayWeigher m_weigher;
    GpuFilter m_filter;
    DeviceBuffer<unsigned> m_largest; // of each block of a part: bits of the largest finite magnitude
    std::deque<PlaneTimer> m_prepareTimes, m_filterTimes;
    double m_prepareSeconds = 0, m_filterSeconds = 0;
    long long m_uploaded = 0;
};

} // namespace engine::cuda
