// SPDX-License-Identifier: GPL-3.0-or-later
// Ramp filter on an OpenCL device, two real rows per complex transform (Chilingaryan et al. 2018, section II).
#pragma once

#include "engine/backends/opencl/device/row_transform.h"
#include "engine/filter/filter.h"

#include <memory>
#include <optional>
#include <vector>

namespace engine::opencl
{

// Ramp filter that keeps its kernels and memory between calls. For one queue at a time. Everything throws
// Error(device, noMemory).
class OpenClFilter
{
  public:
    explicit OpenClFilter(OpenedDevice& device) : m_device(device) {}

    // Prepares the following calls for rows of `bins` values; compiles, outside of measured times. mostRows: how many a
    // call may filter. Cheap if nothing has changed.
    void prepare(const FilterSettings& settings, int bins, std::size_t mostRows, cl_command_queue queue);

    // Enqueues the filter of rows in place, [slice][projection][bin], and all weights of their rays. Returns the first
    // and the last event.
    struct Span {
        Event first, last;
        double seconds() const { return secondsBetween(first, last ? last : first); } // once they have ended
    };
    Span run(const Buffer& rows, int slices, const RayWeights& weights, cl_command_queue queue);

  private:
    cl_kernel kernel(const char* name);
    std::size_t pairsAtOnce() const { return m_transform ? static_cast<std::size_t>(m_transform->rows()) : 0; }
    void send(Buffer& to, const void* from, std::size_t bytes, cl_command_queue queue);
    void sendWeights(const RayWeights& weights, cl_command_queue queue);
    Event weighRays(const Buffer& rows, int slices, const RayWeights& weights, cl_command_queue queue);
    Span filterPairs(const Buffer& rows, std::size_t first, std::size_t count, int projections, cl_command_queue queue);

    OpenedDevice& m_device;
    std::optional<FilterSettings> m_settings;
    std::optional<RayWeights> m_weights;
    int m_bins = 0, m_padded = 0;
    std::unique_ptr<RowTransform> m_transform; // of as many pairs of rows as are filtered at once
    Buffer m_pairs, m_response, m_ofProjections, m_central, m_shares;
};

} // namespace engine::opencl
