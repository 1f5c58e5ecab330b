// What the methods of the processor can't do.
#pragma once

#include "engine/setting.h"

#include <optional>
#include <span>
#include <string>

namespace engine
{

// Why the request can't be done by processor method `id`, in words for the user; nothing when it can.
std::optional<std::string> processorLimits(const std::string& id, std::span<const int> slicesPerPass,
                                           const Request& request);

} // namespace engine
