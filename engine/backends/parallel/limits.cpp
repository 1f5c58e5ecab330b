// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/parallel/limits.h"

namespace engine
{

std::optional<std::string> kernelLimits(const std::string& id, std::span<const int> slicesPerPass,
                                        const Request& request)
{
    bool offered = false;
    std::string list;
    for (std::size_t k = 0; k < slicesPerPass.size(); ++k) {
        offered = offered || slicesPerPass[k] == request.setting.kernel.slicesPerPass;
        const char* separator = k == 0 ? "" : k + 1 == slicesPerPass.size() ? " or " : ", ";
        list += separator + std::to_string(slicesPerPass[k]);
    }
    if (!offered)
        return "`" + id + "` reconstructs " + list + " slices simultaneously, not " +
               std::to_string(request.setting.kernel.slicesPerPass);
    if (request.setting.kernel.interpolation == Interpolation::oversampled &&
        (request.setting.kernel.oversampling < 1 || request.setting.kernel.oversampling > 64))
        return "`" + id + "` takes 1 to 64 samples per bin, not " + std::to_string(request.setting.kernel.oversampling);
    return std::nullopt;
}

} // namespace engine
