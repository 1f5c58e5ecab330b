// SPDX-License-Identifier: GPL-3.0-or-later
// The ramp filter on an NVIDIA GPU: cuFFT, two real rows in one complex transform (Chilingaryan et al. 2018, section
// II).
#pragma once

#include "engine/cuda/buffer.h"
#include "engine/filter/filter.h"
#include "engine/request/setting.h"

#include <cufft.h>

#include <optional>
#include <vector>

namespace engine::cuda
{

// Sinograms of one pass as the kernels want them: [projection][bin][slice], rows of pitchBytes, or a TensorLayout.
struct InterleavedSinograms {
    DeviceBuffer<char> data;
    std::size_t pitchBytes = 0;
    DeviceBuffer<float> unscale;      // one value: what the sums are multiplied by (1 for interleaved float data)
    DeviceBuffer<unsigned> nonFinite; // one value: 1 where a filtered value is infinite or not a number
};

// Keeps its plan and work space between calls. Calls enqueue on one stream; not for two streams at once.
class CufftFilter
{
  public:
    CufftFilter() = default;
    ~CufftFilter();
    CufftFilter(const CufftFilter&) = delete;
    CufftFilter& operator=(const CufftFilter&) = delete;

    // What follows filters rows of `bins` values with these settings, `slices` at once; weights: one per projection.
    // Cheap when nothing changed.
    void prepare(const FilterSettings& settings, const std::vector<double>& weights, int bins, int slices,
                 cudaStream_t stream);

    // raw: device, [present][projection][bin] line integrals; `slices` (1, 2, 4) are interleaved, those beyond
    // `present` are 0. Half: stored with a power-of-two scale that brings the largest finite value to 2¹⁰…2¹¹.
    void run(const float* raw, int present, int slices, Precision precision, InterleavedSinograms& out,
             cudaStream_t stream);

    // The same in a TensorLayout of `slices` (8, 16, 32, 64 or a multiple); float data scaled too.
    void runForTensor(const float* raw, int present, int slices, Precision precision, InterleavedSinograms& out,
                      cudaStream_t stream);

    // The filtered rows themselves, until the next call; largest: the bits of their largest finite magnitude.
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
    DeviceBuffer<float> m_response; // [padded/2 + 1], 1/padded of the inverse transform included
    DeviceBuffer<float> m_deviceWeights;
    DeviceBuffer<cufftComplex> m_work; // batch × padded
    DeviceBuffer<float> m_filtered;    // [slice][projection][bin]: halves need their scale first
    DeviceBuffer<unsigned> m_largest;
    InterleavedSinograms m_rows; // its flag alone
};

} // namespace engine::cuda
