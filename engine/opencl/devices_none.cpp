// SPDX-License-Identifier: GPL-3.0-or-later
// Empty device list of a build without OpenCL.
#include "engine/opencl/devices.h"

namespace engine
{

const OpenClDevices& openClDevices()
{
    static const OpenClDevices none{
        {}, "this build is without OpenCL (Debian and Ubuntu: install opencl-c-headers)", false};
    return none;
}

} // namespace engine
