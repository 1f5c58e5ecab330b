// SPDX-License-Identifier: GPL-3.0-or-later
// Filtering of batches by the processor while a GPU works on the previous batch (Chen et al. 2019, sections 3.1 and
// 4.1.3).
#pragma once

#include "engine/backproject/cone/cuda/cone_job.h"
#include "engine/base/blocking_queue.h"

#include <exception>
#include <optional>
#include <thread>

namespace engine::cuda
{

// Filter of the launch's prepared sinograms, in its own thread and with the launch's cores, one batch ahead.
class HostFilter
{
  public:
    HostFilter(const LaunchArguments& launch, std::vector<ConeBatch> batches);
    ~HostFilter();

    // Returns the next batch, [row][projection][bin]. Throws the errors of filtering it, and Error(cancelled).
    FilteredSinograms take();
    double seconds() const { return m_seconds; } // for the batches taken so far

  private:
    struct Made {
        FilteredSinograms batch;
        double seconds = 0;
        std::exception_ptr error = {};
    };
    void work(const std::stop_token& stop);
    Made filter(const ConeBatch& batch, const std::stop_token& stop) const;

    const LaunchArguments& m_launch;
    std::vector<ConeBatch> m_batches;
    std::stop_source m_stop;
    struct Stop {
        std::stop_source* source;
        void operator()() const { source->request_stop(); }
    };
    std::stop_callback<Stop> m_outer;
    BlockingQueue<Made> m_made;
    double m_seconds = 0;
    std::jthread m_thread; // last, because it uses the other members
};

} // namespace engine::cuda
