// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/rows/device_in_use.h"

#include "engine/base/stopwatch.h"

#include <algorithm>

namespace engine::opencl
{

DeviceInUse::DeviceInUse(int index)
    : device(index), compute(device.makeQueue()), uploads(device, HostCopies::Direction::toDevice),
      downloads(device, HostCopies::Direction::toHost)
{
}

OpenClFilter::Span DeviceInUse::filterRows(const Buffer& rows, int slices, int projections, int bins,
                                           const RayWeights* weights, bool half, const std::string& source,
                                           const std::string& options)
{
    constexpr std::size_t threads = 256, mostGroups = 1024;
    largest.reserve(device.context(), sizeof(cl_uint));
    uploads.wait();
    zero(compute.get(), largest, uploads.arrivals());
    OpenClFilter::Span filtered;
    if (weights)
        filtered = filter.run(rows, slices, *weights, compute.get());
    if (half) {
        const cl_ulong values = static_cast<cl_ulong>(bins) * slices * projections;
        const cl_kernel find = device.kernel(source, options, "findLargest");
        setArguments(find, rows.get(), values, largest.get());
        enqueue(compute.get(), find, {std::min<std::size_t>((values + threads - 1) / threads, mostGroups)}, threads);
    }
    return filtered;
}

void DeviceInUse::load(cl_kernel kernel, const std::function<Event()>& launch)
{
    if (!m_loaded.insert(kernel).second)
        return;
    check(functions().clFinish(compute.get()), "clFinish");
    const Stopwatch watch;
    wait(launch());
    device.addCompilation(watch.seconds());
}

void DeviceInUse::abandon() noexcept
{
    uploads.abandon();
    downloads.abandon();
    functions().clFinish(compute.get());
}

} // namespace engine::opencl
