// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/cone/cuda/host_filter.h"

#include "engine/base/start_thread.h"
#include "engine/base/stopwatch.h"
#include "engine/filter/filter.h"

#include <algorithm>

namespace engine::cuda
{

HostFilter::HostFilter(const LaunchArguments& launch, std::vector<ConeBatch> batches)
    : m_launch(launch), m_batches(std::move(batches)), m_outer(launch.stop, Stop{&m_stop}),
      m_thread(startThread([this] { work(m_stop.get_token()); }))
{
}

HostFilter::~HostFilter()
{
    m_stop.request_stop();
}

FilteredSinograms HostFilter::take()
{
    Made made = m_made.take(m_stop.get_token());
    if (made.error)
        std::rethrow_exception(made.error);
    m_seconds += made.seconds;
    return std::move(made.batch);
}

void HostFilter::work(const std::stop_token& stop)
{
    try {
        for (const ConeBatch& batch : m_batches) {
            Made made;
            try {
                made = filter(batch, stop);
            } catch (...) {
                made.error = std::current_exception();
            }
            m_made.give(std::move(made), stop);
        }
    } catch (const Error&) { // stopped: nobody waits for batches any more
    }
}

HostFilter::Made HostFilter::filter(const ConeBatch& batch, const std::stop_token& stop) const
{
    const Stopwatch watch;
    const SinogramView& data = m_launch.sinograms;
    const std::vector<int> projections = batch.all(data.projections);
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
    Made made;
    made.batch = filterInPlace(std::move(gathered), m_launch.filter->settings, weights, m_launch.threads, {}, stop);
    made.seconds = watch.seconds();
    return made;
}

} // namespace engine::cuda
