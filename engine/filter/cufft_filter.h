// SPDX-License-Identifier: GPL-3.0-or-later
// Ramp filter on an NVIDIA GPU by cuFFT, two real rows per complex transform (Chilingaryan et al. 2018, section II).
#pragma once

#include "engine/cuda/buffer.h"
#include "engine/filter/filter.h"
#include "engine/request/setting.h"

#include <cufft.h>

#include <optional>
#include <vector>

namespace engine::cuda
{

// Sinograms of one pass in the layout of the kernels: [projection][bin][slice] with rows of pitchBytes, or a
// TensorLayout.
struct InterleavedSinograms {
    DeviceBuffer<char> data;
    std::size_t pitchBytes = 0;
    DeviceBuffer<float> unscale;      // one value: factor for the sums (1 for interleaved float data)
    DeviceBuffer<unsigned> nonFinite; // one value: 1 if any filtered value is infinite or not a number
};

// Ramp filter that keeps its plan and work space between calls. Calls enqueue work on a stream; two streams must not
// use one filter simultaneously.
class CufftFilter
{
  public:
    CufftFilter() = default;
    ~CufftFilter();
    CufftFilter(const CufftFilter&) = delete;
    CufftFilter& operator=(const CufftFilter&) = delete;

    // Prepares the following calls for rows of `bins` values, these settings and `slices` slices per call. weights:
    // one per projection. Cheap if nothing has changed.
    void prepare(const FilterSettings& settings, const std::vector<double>& weights, int bins, int slices,
                 cudaStream_t stream);

    // Filters `raw`, device memory with [present][projection][bin] line integrals, and interleaves `slices` slices
    // (1, 2, 4); those beyond `present` are 0. Half precision: stored with a power-of-two scale that brings the
    // largest finite value to 2¹⁰…2¹¹.
    void run(const float* raw, int present, int slices, Precision precision, InterleavedSinograms& out,
             cudaStream_t stream);

    // Does the same, but stores a TensorLayout of `slices` slices (8, 16, 32, 64 or a multiple of 64); float data are
    // scaled too.
    void runForTensor(const float* raw, int present, int slices, Precision precision, InterleavedSinograms& out,
                      cudaStream_t stream);

    // Filtered rows in device memory, valid until the next call. `largest`: bits of their largest finite magnitude.
    struct Rows {
        const float* values = nullptr; // [present][projection][bin]
        const unsigned* largest = nullptr;
        const unsigned* nonFinite = nullptr;
    };
    Rows runRows(const float* raw, int present, cudaStream_t stream);

  private:
    void filterRows(const float* raw, int present, InterleavedSinograms& out, cudaStream_t stream);
    void plan(int padded, int batch);

    std::optional<FilterSettings> m_settings;
    std::vector<double> m_weights;
    int m_bins = 0, m_padded = 0, m_batch = 0;
    cufftHandle m_plan = 0;
    bool m_planned = false;
    DeviceBuffer<float> m_response; // [padded/2 + 1], including the factor 1/padded of the inverse transform
    DeviceBuffer<float> m_deviceWeights;
    DeviceBuffer<cufftComplex> m_work; // batch × padded
    DeviceBuffer<float> m_filtered;    // [slice][projection][bin]; the scale of halves is known only after filtering
    DeviceBuffer<unsigned> m_largest;
    InterleavedSinograms m_rows; // only its flag nonFinite is used
};

} // namespace engine::cuda
