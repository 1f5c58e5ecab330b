// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a launch's rows from host memory to the layout of a kernel, prepared and filtered on the way: for slices,
// cone beams and planes.
#pragma once

#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/device/device_timer.h"
#include "engine/backends/cuda/device/host_copies.h"
#include "engine/backends/cuda/filter/gpu_filter.h"
#include "engine/backends/cuda/filter/ray_weigher.h"
#include "engine/backends/cuda/prepare/device_lines.h"
#include "engine/backends/method.h"

#include <span>
#include <vector>

namespace engine::cuda
{

// Uploads blocks of rows into slots that are used in turn, and prepares and filters each block if the launch wants that
// (LaunchArguments::preparation, filter) while the next one is uploaded. A launch begins with begin(). For each block:
// startUpload(), waitForUpload(), then either filtered(), or prepared() and what the caller does with filter(), and
// used(). Works on one stream. Everything throws
// Error(device, noMemory, badRequest, cancelled).
class IncomingRows
{
  public:
    IncomingRows(cudaStream_t stream, int slots) : m_stream(stream), m_slots(static_cast<std::size_t>(slots)) {}

    // Begins a launch, whose arguments must outlive the calls for it.
    void begin(const LaunchArguments& launch);
    // Allocates the memory for blocks of so many rows and projections, so that other data may take what is free
    // afterwards. Without it, memory is allocated when it is needed.
    void reserve(int rows, int projections);

    // Starts the upload of a block once the slot's previous rows are no longer used. One block at a time: call
    // waitForUpload() before the next one.
    void startUpload(const RowBlock& block, int slot);
    // Does the same with rows that the processor filtered, [row][projection][bin].
    void startUpload(std::span<const float> filtered, int slot);
    void waitForUpload() { m_uploads.wait(m_stream); } // the stream goes on when the rows have arrived

    // Prepares an uploaded block. Returns [row][projection][bin] in device memory.
    float* prepared(const RowBlock& block, int slot);
    // Prepares the block as above, and filters it, weights of the rays included; rows of a launch without a filter stay
    // as they are. isFiltered: so do those that the processor filtered. The rows are valid until the next call.
    GpuFilter::Rows filtered(const RowBlock& block, int slot, bool isFiltered = false);
    // Sets filter() for rows of all projections, without weights of rays. beginFilter(): begins a time of
    // filterTimes().
    void setFilter();
    void beginFilter();
    GpuFilter& filter() { return m_filter; }
    float* values(int slot) { return m_slots[static_cast<std::size_t>(slot)].raw.data(); }

    // Enqueues that the slot's rows are no longer used; ends the time of filterTimes() that was begun.
    void used(int slot);

    // Ends a launch that prepares; waits for the device. Returns whether some lines had no good value: what was made of
    // them is then unusable (LaunchReport::unprepared).
    bool finish();
    // Stops all uploads. Afterwards nothing uses the launch.
    void abandon() noexcept;

    double takeUploadSeconds() { return m_uploads.takeSeconds(); }
    DeviceTimer& prepareTimes() { return m_prepareTimes; }
    DeviceTimer& filterTimes() { return m_filterTimes; }
    long long uploadedProjections() const { return m_uploaded; } // of all launches so far

  private:
    struct Slot {
        DeviceBuffer<char> recorded; // as stored: [projection][row][bin]
        DeviceBuffer<float> raw;     // [row][projection][bin]
        Event used;
    };

    void reserve(Slot& slot, int rows, int projections);
    void setNoFilter(int projections); // sets filter() to leave rows as they are

    const cudaStream_t m_stream;
    const LaunchArguments* m_launch = nullptr;
    HostCopies m_uploads{HostCopies::Direction::toDevice};
    std::vector<Slot> m_slots;
    DeviceLines m_lines;
    RayWeigher m_weigher;
    GpuFilter m_filter;
    DeviceTimer m_prepareTimes, m_filterTimes;
    bool m_isTimed = false; // whether a time of m_filterTimes has no end yet
    long long m_uploaded = 0;
};

} // namespace engine::cuda
