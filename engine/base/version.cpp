// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/version.h"

#include "sinoscope_version.h" // written by packaging/version.cmake in every build

namespace engine
{

std::string programVersion()
{
    return SINOSCOPE_VERSION;
}

std::vector<Feature> programFeatures()
{
    return {{"CUDA", SINOSCOPE_CUDA_FEATURE}, {"OpenCL", SINOSCOPE_OPENCL_FEATURE}, {"MPI", SINOSCOPE_MPI_FEATURE}};
}

std::string versionText(const std::string& program)
{
    std::string text = program + ' ' + programVersion();
    for (const Feature& feature : programFeatures())
        text += '\n' + feature.name + ": " + feature.detail;
    return text;
}

} // namespace engine
