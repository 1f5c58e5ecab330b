// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/parallel/opencl/device_times.h"

#include "engine/opencl/devices.h"

#include <iomanip>
#include <sstream>

namespace engine::opencl
{

LaunchReport reportOf(const DeviceTimes& times, int deviceIndex)
{
    LaunchReport report;
    report.filterSeconds = times.filterSeconds;
    report.kernelSeconds = times.kernelSeconds;
    report.totalSeconds = times.totalSeconds;
    report.device = openClDevices().devices.at(deviceIndex).name + " (OpenCL)";
    constexpr double seen = 0.5; // loading programs that were kept takes less
    if (times.compileSeconds < seen)
        return report;
    std::ostringstream text;
    text << "The kernels for these choices were compiled for this OpenCL device, in " << std::setprecision(2)
         << times.compileSeconds << " s; they are kept for the next time.";
    report.notes.push_back(text.str());
    return report;
}

} // namespace engine::opencl
