// SPDX-License-Identifier: GPL-3.0-or-later
// Filtering of batches by the processor while a GPU works on the previous batch (Chen et al. 2019, sections 3.1 and
// 4.1.3).
#pragma once

#include "engine/backends/cuda/cone/cone_job.h"
#include "engine/base/one_ahead.h"

#include <vector>

namespace engine::cuda
{

// Filter of the launch's prepared sinograms, in its own thread and with the launch's cores, one batch ahead.
class HostFilter
{
  public:
    HostFilter(const LaunchArguments& launch, std::vector<RowBlock> batches);

    // Returns the next batch, [row][projection][bin]. Throws the errors of filtering it, and Error(cancelled).
    FilteredSinograms take() { return m_filtered.take(); }
    double seconds() const { return m_filtered.seconds(); } // for the batches taken so far

  private:
    FilteredSinograms filter(const RowBlock& batch, const std::stop_token& stop) const;

    const LaunchArguments& m_launch;
    const std::vector<RowBlock> m_batches;
    OneAhead<FilteredSinograms> m_filtered; // last, because it uses the other members
};

} // namespace engine::cuda
