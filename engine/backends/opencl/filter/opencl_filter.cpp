// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/filter/opencl_filter.h"

#include "engine/backends/opencl/filter/filter_source.h"
#include "engine/base/stopwatch.h"

#include <algorithm>
#include <string>

namespace engine::opencl
{

namespace
{

constexpr std::size_t rowThreads = 256;
constexpr double mostPairsBytes = 256 << 20; // of the complex rows that are filtered at once

int padModeOf(const FilterSettings& settings)
{
    return settings.padMode == PadMode::edge ? 1 : settings.padMode == PadMode::cylinder ? 2 : 0;
}

} // namespace

cl_kernel OpenClFilter::kernel(const char* name)
{
    return m_device.kernel(filterSource, "-w -cl-std=CL1.2 -DPAD=" + std::to_string(padModeOf(*m_settings)), name);
}

void OpenClFilter::send(Buffer& to, const void* from, std::size_t bytes, cl_command_queue queue)
{
    to.reserve(m_device.context(), bytes);
    check(functions().clEnqueueWriteBuffer(queue, to.get(), CL_TRUE, 0, bytes, from, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
}

void OpenClFilter::prepare(const FilterSettings& settings, int bins, std::size_t mostRows, cl_command_queue queue)
{
    if (m_settings != settings || m_bins != bins) {
        m_settings = settings;
        m_bins = bins;
        m_padded = paddedLength(bins);
        std::vector<float> factors;
        for (const double factor : frequencyResponse(settings, m_padded))
            factors.push_back(static_cast<float>(factor / m_padded));
        send(m_response, factors.data(), factors.size() * sizeof(float), queue);
    }
    if (settings.window == Window::none)
        return;
    const double bytes = static_cast<double>(sizeof(cl_float2)) * m_padded;
    const double most = std::min(mostPairsBytes, m_device.facts().largestBufferBytes) / bytes;
    const std::size_t pairs = std::min((mostRows + 1) / 2, static_cast<std::size_t>(std::max(1.0, most)));
    if (m_transform && m_transform->length() == m_padded && pairsAtOnce() == pairs)
        return;
    m_transform.reset();
    m_transform = std::make_unique<RowTransform>(m_device, m_padded, static_cast<int>(pairs));
    m_pairs.reserve(m_device.context(), static_cast<std::size_t>(bytes) * pairs);
    // Some drivers compile at the first launch.
    const Stopwatch watch;
    m_transform->forward(queue, m_pairs.get());
    m_transform->backward(queue, m_pairs.get());
    check(functions().clFinish(queue), "clFinish");
    m_device.addCompilation(watch.seconds());
}

void OpenClFilter::sendWeights(const RayWeights& weights, cl_command_queue queue)
{
    if (m_weights == weights)
        return;
    m_weights.reset();
    const std::vector<float> single(weights.projections.begin(), weights.projections.end());
    send(m_ofProjections, single.data(), single.size() * sizeof(float), queue);
    std::vector<cl_float4> rays;
    for (const CentralRay& ray : weights.central)
        rays.push_back({{static_cast<float>(ray.bin), static_cast<float>(ray.row),
                         static_cast<float>(1 / ray.lengthBins), static_cast<float>(1 / ray.lengthRows)}});
    rays.resize(std::max<std::size_t>(rays.size(), 1)); // the kernel gets a buffer in any case
    send(m_central, rays.data(), rays.size() * sizeof(cl_float4), queue);
    std::vector<float> shares = weights.redundancy;
    shares.resize(std::max<std::size_t>(shares.size(), 1));
    send(m_shares, shares.data(), shares.size() * sizeof(float), queue);
    m_weights = weights;
}

// Multiplies the rows by the weights that come before the filter. Returns no event if there are none.
Event OpenClFilter::weighRays(const Buffer& rows, int slices, const RayWeights& weights, cl_command_queue queue)
{
    if (weights.central.empty() && weights.redundancy.empty())
        return {};
    const int projections = static_cast<int>(weights.projections.size());
    const cl_kernel weigh = kernel("weighCone");
    setArguments(weigh, rows.get(), m_central.get(), static_cast<cl_int>(weights.central.size()), m_shares.get(),
                 cl_int{weights.redundancy.empty() ? 0 : 1}, cl_int{weights.firstRow}, cl_int{projections},
                 cl_int{m_bins});
    return enqueue(queue, weigh,
                   {(m_bins + rowThreads - 1) / rowThreads, static_cast<std::size_t>(projections),
                    static_cast<std::size_t>(slices)},
                   rowThreads);
}

// Filters the next rows, as many as a transform takes, of `count` rows in all.
OpenClFilter::Span OpenClFilter::filterPairs(const Buffer& rows, std::size_t first, std::size_t count, int projections,
                                             cl_command_queue queue)
{
    Span span;
    const cl_kernel pad = kernel("padPairs");
    setArguments(pad, rows.get(), cl_ulong{first}, cl_ulong{count}, cl_int{m_bins}, cl_int{m_padded}, m_pairs.get());
    span.first = enqueue(queue, pad, {pairsAtOnce()}, rowThreads);
    m_transform->forward(queue, m_pairs.get());
    const cl_kernel multiply = kernel("multiplyPairs");
    setArguments(multiply, m_pairs.get(), m_response.get(), cl_int{m_padded});
    enqueue(queue, multiply, {pairsAtOnce()}, rowThreads);
    m_transform->backward(queue, m_pairs.get());
    const cl_kernel take = kernel("takePairs");
    setArguments(take, m_pairs.get(), cl_ulong{first}, cl_ulong{count}, cl_int{projections}, cl_int{m_bins},
                 cl_int{m_padded}, m_ofProjections.get(), rows.get());
    span.last = enqueue(queue, take, {pairsAtOnce()}, rowThreads);
    return span;
}

OpenClFilter::Span OpenClFilter::run(const Buffer& rows, int slices, const RayWeights& weights, cl_command_queue queue)
{
    sendWeights(weights, queue);
    const int projections = static_cast<int>(weights.projections.size());
    const std::size_t count = static_cast<std::size_t>(slices) * projections;
    Span all;
    const auto add = [&all](Event first, Event last) {
        if (!all.first)
            all.first = std::move(first);
        all.last = std::move(last);
    };
    all.first = weighRays(rows, slices, weights, queue);
    if (m_settings->window == Window::none) {
        const cl_kernel weigh = kernel("weightRows");
        setArguments(weigh, rows.get(), cl_int{projections}, cl_int{m_bins}, m_ofProjections.get());
        add(enqueue(queue, weigh, {count}, rowThreads), {});
    } else
        for (std::size_t first = 0; first < count; first += 2 * pairsAtOnce()) {
            Span span = filterPairs(rows, first, count, projections, queue);
            add(std::move(span.first), std::move(span.last));
        }
    return all;
}

} // namespace engine::opencl
