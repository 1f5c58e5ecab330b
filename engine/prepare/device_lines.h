// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of preparation on an NVIDIA GPU, all of them in one pass over the numbers as they are stored.
#pragma once

#include "engine/cuda/buffer.h"
#include "engine/prepare/line_program.h"
#include "engine/scan/samples.h"

namespace engine::cuda
{

// The same values as the processor's steps, bit for bit where the processor has fused multiplications and additions.
// Calls enqueue on one stream.
class DeviceLines
{
  public:
    // For what follows: a program for `rows` rows of `bins`, mostBinsOnDevices at most. Throws Error(device, noMemory).
    void begin(const LineProgram& program, int rows, int bins, cudaStream_t stream);

    // recorded: device, [projection][row][bin] numbers of `type`, rows from firstRow on of the program's;
    // sinograms: device, [row][projection][bin].
    void run(const char* recorded, const SampleType& type, int firstRow, int rows, int projections, float* sinograms,
             cudaStream_t stream);

    // Waits for all of it and adds what was mended to the program's counts; true: some lines had no good value, and the
    // sinograms are worth nothing.
    bool finish(cudaStream_t stream);

  private:
    LineProgram m_program;
    int m_bins = 0;
    DeviceBuffer<double> m_dark, m_gain;
    DeviceBuffer<int> m_deadInRow;
    DeviceBuffer<unsigned> m_marked; // how many lines, and which
    DeviceBuffer<unsigned long long> m_counts;
};

} // namespace engine::cuda
