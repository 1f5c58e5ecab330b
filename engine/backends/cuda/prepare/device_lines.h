// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of preparation on an NVIDIA GPU, all in one pass over the numbers as they are stored.
#pragma once

#include "engine/backends/cuda/device/buffer.h"
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

    // Prepares `rows` rows, which start at row firstRow of the program. recorded: device memory,
    // [projection][row][bin] numbers of `type`; sinograms: device memory, [row][projection][bin].
    void run(const char* recorded, const SampleType& type, int firstRow, int rows, int projections, float* sinograms,
             cudaStream_t stream);

    // Waits for all runs and adds the numbers of mended values to the program's counts. Returns true if some lines
    // had no good value: then the sinograms are unusable.
    bool finish(cudaStream_t stream);

  private:
    LineProgram m_program;
    int m_bins = 0;
    DeviceBuffer<double> m_dark, m_gain;
    DeviceBuffer<int> m_deadInRow;
    DeviceBuffer<unsigned> m_marked; // number of lines to be mended, then their indices
    DeviceBuffer<unsigned long long> m_counts;
};

} // namespace engine::cuda
