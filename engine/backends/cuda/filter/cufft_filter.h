// SPDX-License-Identifier: GPL-3.0-or-later
// Ramp filter on an NVIDIA GPU by cuFFT, as a batch of transforms: of complex rows, each with two real ones as real and
// imaginary parts (Chilingaryan et al. 2018, section II), or of real rows.
#pragma once

#include "engine/backends/cuda/device/buffer.h"
#include "engine/request/setting.h"

#include <utility>
#include <vector>

namespace engine::cuda
{

struct Lines;

// A filter that keeps its plans and memory between calls. Work is enqueued on a stream; two streams must not use one
// filter simultaneously.
class CufftFilter
{
  public:
    explicit CufftFilter(bool isReal) : m_isReal(isReal) {}

    // Prepares the following calls. response: of frequencies 0 to padded/2. Throws Error(device) without cuFFT.
    void prepare(const std::vector<double>& response, int padded, PadMode mode, cudaStream_t stream);
    void reserve(std::size_t rows); // allocates the memory for so many rows; call prepare() before
    void run(const Lines& lines, cudaStream_t stream);

  private:
    // A plan of cuFFT for `batch` transforms of one length, without memory for its work.
    class Plan
    {
      public:
        Plan(int type, int padded, int batch);
        ~Plan();
        Plan(Plan&& other) noexcept
            : m_type(other.m_type), m_padded(other.m_padded), m_batch(other.m_batch), m_bytes(other.m_bytes),
              m_handle(std::exchange(other.m_handle, none))
        {
        }
        Plan& operator=(Plan&&) = delete;
        bool isFor(int type, int padded, int batch) const
        {
            return type == m_type && padded == m_padded && batch == m_batch;
        }
        std::size_t bytes() const { return m_bytes; }
        int handle() const { return m_handle; }

      private:
        static constexpr int none = -1;

        int m_type, m_padded, m_batch;
        std::size_t m_bytes = 0; // of work space
        int m_handle = none;
    };

    std::size_t transformsOf(std::size_t rows) const { return m_isReal ? rows : (rows + 1) / 2; }
    int batchFor(std::size_t transforms) const;
    const Plan& planFor(int type, int batch);
    void transform(int batch, bool isForward, cudaStream_t stream);

    const bool m_isReal;
    int m_padded = 0;
    PadMode m_mode = PadMode::zero;
    std::vector<Plan> m_plans;      // those used last
    DeviceBuffer<float> m_factors;  // [padded/2 + 1], including the scale 1/padded
    DeviceBuffer<float2> m_rows;    // of a batch, complex: [padded]; real: [padded + 2] numbers, as cuFFT wants them
    DeviceBuffer<char> m_workSpace; // of the plan that runs
};

} // namespace engine::cuda
