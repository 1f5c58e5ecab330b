// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a launch's projections from host memory to groups of rows, prepared and filtered on the way.
#pragma once

#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/plane/plane_sum.h"
#include "engine/backends/cuda/rows/incoming_rows.h"

#include <vector>

namespace engine::cuda
{

// Stores projections in blocks, prepared and filtered if the launch wants that, while the next block is uploaded. Works
// on one stream. Everything throws Error(device, noMemory, badRequest, cancelled).
class RowGroupFiller
{
  public:
    explicit RowGroupFiller(cudaStream_t stream) : m_stream(stream), m_rows(stream, 2) {}

    // Begins a launch: allocates the memory for its blocks, so that projections may take what is free afterwards.
    void begin(const PlaneSum& job);

    // Fills the part's memory, and sets the factors by which stored values are to be multiplied. unscale: one per
    // projection of the launch; those of the part change. Waits for the device.
    void fill(const PlaneSum& job, const StoredPart& part, std::vector<float>& unscale);

    IncomingRows& rows() { return m_rows; }

  private:
    void store(const PlaneSum& job, const StoredPart& part, int index);
    void takeScales(const PlaneSum& job, const StoredPart& part, std::vector<float>& unscale);

    const cudaStream_t m_stream;
    IncomingRows m_rows;
    DeviceBuffer<unsigned> m_largest; // of each block of a part: bits of the largest finite magnitude
};

} // namespace engine::cuda
