// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs of any maker, and other devices, through OpenCL. In a build without OpenCL there are the methods, and the reason
// why they can't be used.
#include "engine/backends/backend.h"
#include "engine/backends/opencl/device/devices.h"
#include "engine/backends/opencl/methods.h"
#include "engine/base/error.h"
#if SINOSCOPE_HAS_OPENCL
#include "engine/backends/opencl/device/device_peaks.h"
#include "engine/backends/opencl/opencl_session.h"
#endif

#include <algorithm>
#include <iterator>

namespace engine
{

namespace
{

std::vector<Method> openClMethods()
{
    std::vector<Method> all = opencl::parallelMethods();
    std::ranges::move(opencl::coneMethods(), std::back_inserter(all));
    return all;
}

#if SINOSCOPE_HAS_OPENCL
DeviceRates openClRatesOf(const KernelWork& work)
{
    const OpenClPeaks device = openClPeaks(work.device.index);
    DeviceRates rates{toText(work.device), {}};
    rates.units = {{"multiplyAdds", "multiply-adds", device.multiplyAdds},
                   {"localBytes", "bytes of local memory", device.localBytes}};
    for (const auto& [format, perSecond] : device.fetches)
        rates.units.push_back({"fetches",
                               std::string(format.nearest ? "nearest" : "linear") + " fetches of " +
                                   std::to_string(format.channels) + (format.half ? " half" : " float"),
                               perSecond, format.channels, format.half, format.nearest});
    return rates;
}
#endif

} // namespace

bool hasOpenClTransforms()
{
    return SINOSCOPE_HAS_VKFFT;
}

#if !SINOSCOPE_HAS_OPENCL

const Devices& openClDevices()
{
    static const Devices none{{}, "this build is without OpenCL (Debian and Ubuntu: install opencl-c-headers)"};
    return none;
}

#endif

const Backend openClBackend = {
    .id = "opencl",
    .deviceLabel = "OpenCL device",
    .aDevice = "an OpenCL device",
    .about = "A GPU of any maker, through OpenCL",
    .nameSuffix = " (OpenCL)",
    .isBuilt = SINOSCOPE_HAS_OPENCL,
    .methods = openClMethods,
    .devices = openClDevices,
#if SINOSCOPE_HAS_OPENCL
    .open = [](int device) -> std::unique_ptr<DeviceSession> {
        return std::make_unique<opencl::OpenClSession>(device);
    },
    .ratesOf = openClRatesOf,
#else
    .open = [](int) -> std::unique_ptr<DeviceSession> { throw Error(ErrorKind::device, openClDevices().reason); },
#endif
    .limitsOf = opencl::limitsOf,
    .ratesKey = "openClPeaks",
    .hasFetchRates = true,
};

} // namespace engine
