// SPDX-License-Identifier: GPL-3.0-or-later
// Ramp filter on an NVIDIA GPU, two real rows per complex transform (Chilingaryan et al. 2018, section II). One kernel
// pads, transforms, multiplies, transforms back and weights; in between, rows stay in the shared memory of a block. Or
// with cuFFT, if the user asks for it (cufft_filter.h).
#pragma once

#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/filter/cufft_filter.h"
#include "engine/filter/filter.h"
#include "engine/request/setting.h"

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

// Ramp filter that keeps its tables and memory between calls. Calls enqueue work on a stream; two streams must not
// use one filter simultaneously.
class GpuFilter
{
  public:
    // Sets what transforms the rows; call prepare() afterwards.
    void setTransform(FilterTransform transform);

    // Prepares the following calls for rows of `bins` values and these settings. weights: one per projection. Cheap if
    // nothing has changed.
    void prepare(const FilterSettings& settings, const std::vector<double>& weights, int bins, cudaStream_t stream);

    // Allocates the memory for calls with up to `rows` rows in total, present × projections, so that no such call
    // allocates. Call prepare() before.
    void reserve(std::size_t rows);

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
    void preparePadded(int padded, cudaStream_t stream);

    FilterTransform m_transform = FilterTransform::own;
    std::optional<CufftFilter> m_cufft; // unless it is our own kernel
    std::optional<FilterSettings> m_settings;
    std::vector<double> m_weights;
    int m_bins = 0, m_padded = 0;
    bool m_isLong = false; // complex rows don't fit the shared memory of a block
    int m_blocksAtOnce = 1;
    DeviceBuffer<float> m_factors; // [padded], in the order of the transform, including the scale 1/padded
    DeviceBuffer<float2> m_roots;  // [padded/2] roots of unity
    DeviceBuffer<float> m_deviceWeights;
    DeviceBuffer<float2> m_longRows; // only if m_isLong
    DeviceBuffer<float> m_filtered;  // [slice][projection][bin]; the scale of halves is known only after filtering
    DeviceBuffer<unsigned> m_largest;
    InterleavedSinograms m_rows; // only its flag nonFinite is used
};

} // namespace engine::cuda
