// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of preparation on an NVIDIA GPU, all in one pass over the numbers as they are stored.
#pragma once

#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/prepare/row_block.h"
#include "engine/prepare/line_program.h"
#include "engine/scan/samples.h"

namespace engine::cuda
{

// Preparation of lines on the GPU. Gives the same values as the steps on the processor, bit for bit if the processor
// has fused multiply-add. Calls enqueue on one stream.
class DeviceLines
{
  public:
    // Uploads the program for the following run() calls, for `rows` rows of `bins` bins (at most mostBinsOnDevices).
    // Throws Error(device, noMemory).
    void begin(const LineProgram& program, int rows, int bins, cudaStream_t stream);

    // Prepares a block of the program's rows and projections. recorded: device memory, [projection][row][bin] numbers
    // of `type`; sinograms: device memory, [row][projection][bin].
    void run(const char* recorded, const SampleType& type, const RowBlock& block, float* sinograms,
             cudaStream_t stream);

    // Waits for all runs and adds the numbers of mended values to the program's counts. Returns true if some lines
    // had no good value: then the sinograms are unusable.
    bool finish(cudaStream_t stream);

  private:
    LineProgram m_program;
    int m_bins = 0;
    std::size_t m_pixels = 0; // of all rows
    DeviceBuffer<double> m_dark, m_gain, m_lights;
    DeviceBuffer<FlatBetween> m_between;
    DeviceBuffer<int> m_deadInRow;
    DeviceBuffer<unsigned> m_marked; // number of lines to be mended, then their indices
    DeviceBuffer<unsigned long long> m_counts;
};

} // namespace engine::cuda
