// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/cone/host_filter.h"

#include "engine/filter/filter.h"

#include <algorithm>

namespace engine::cuda
{

HostFilter::HostFilter(const LaunchArguments& launch, std::vector<RowBlock> batches)
    : m_launch(launch), m_batches(std::move(batches)),
      m_filtered(
          static_cast<int>(m_batches.size()),
          [this](int batch, const std::stop_token& stop) {
              return filter(m_batches[static_cast<std::size_t>(batch)], stop);
          },
          launch.stop)
{
}

FilteredSinograms HostFilter::filter(const RowBlock& batch, const std::stop_token& stop) const
{
    const SinogramView& data = m_launch.sinograms;
    const std::vector<int> projections = batch.all();
    Sinograms gathered{data.slices, static_cast<int>(projections.size()), data.bins, {}};
    gathered.values.resize(static_cast<std::size_t>(data.slices) * projections.size() * data.bins);
    const RayWeights weights = weightsOf(m_launch.filter->weights, projections, data.bins);
    const std::size_t bins = data.bins;
    float* to = gathered.values.data();
    for (int row = 0; row < data.slices; ++row)
        for (const int p : projections) {
            std::copy_n(data.floats.data() + row * data.sliceSize() + p * bins, bins, to);
            to += bins;
        }
    return filterInPlace(std::move(gathered), m_launch.filter->settings, weights, m_launch.threads, {}, stop);
}

} // namespace engine::cuda
