// SPDX-License-Identifier: GPL-3.0-or-later
// Empty device list of a build without OpenCL.
#include "engine/base/error.h"
#include "engine/opencl/device_peaks.h"
#include "engine/opencl/devices.h"

namespace engine
{

bool isOpenClBuilt()
{
    return false;
}

bool hasOpenClTransforms()
{
    return false;
}

const OpenClDevices& openClDevices()
{
    static const OpenClDevices none{{}, "this build is without OpenCL (Debian and Ubuntu: install opencl-c-headers)"};
    return none;
}

OpenClPeaks openClPeaks(int)
{
    throw Error(ErrorKind::device, openClDevices().reason);
}

} // namespace engine
