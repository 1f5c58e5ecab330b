// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/opencl_session.h"

#include "engine/backends/cone/views.h"
#include "engine/backends/launch_both_ends.h"
#include "engine/backends/opencl/rows/device_in_use.h"
#include "engine/base/named_rows.h"

#include <iomanip>
#include <sstream>

namespace engine::opencl
{

namespace
{

struct SliceKernel {
    const char* id;
    ParallelMethod kernel;
};
constexpr SliceKernel openClKernels[] = {{"standard-opencl", ParallelMethod::standard},
                                         {"texture-opencl", ParallelMethod::texture},
                                         {"hybrid-opencl", ParallelMethod::hybrid},
                                         {"alu-opencl", ParallelMethod::alu}};

// Returns the report, with a note if compilation took time that a user sees.
LaunchReport reportOf(const DeviceTimes& times)
{
    LaunchReport report;
    report.filterSeconds = times.filterSeconds;
    report.kernelSeconds = times.kernelSeconds;
    report.totalSeconds = times.totalSeconds;
    constexpr double seen = 0.5; // loading programs that were kept takes less
    if (times.compileSeconds < seen)
        return report;
    std::ostringstream text;
    text << "The kernels for these choices were compiled for this OpenCL device, in " << std::setprecision(2)
         << times.compileSeconds << " s; they are kept for the next time.";
    report.notes.push_back(text.str());
    return report;
}

} // namespace

OpenClSession::OpenClSession(int device) : m_device(std::make_unique<DeviceInUse>(device)) {}

OpenClSession::~OpenClSession() = default;

LaunchReport OpenClSession::run(const Method& method, const LaunchArguments& arguments)
{
    if (takesConeBeam(arguments.geometry)) {
        if (arguments.image.slices < arguments.grid.slices &&
            !areMirrored(viewsOf(arguments, FilterPrecision::float32), arguments.grid.slices,
                         arguments.sinograms.slices))
            return launchBothEnds(*this, method, arguments);
        if (!m_cone)
            m_cone = std::make_unique<ConePipeline>(*m_device);
        return reportOf(m_cone->run(arguments));
    }
    if (!m_slices)
        m_slices = std::make_unique<ParallelPipeline>(*m_device);
    return reportOf(m_slices->run(rowWithId(openClKernels, method.id, "method").kernel, arguments));
}

} // namespace engine::opencl
