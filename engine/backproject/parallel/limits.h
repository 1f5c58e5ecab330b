// SPDX-License-Identifier: GPL-3.0-or-later
// What a method can't do of what its kernels don't have.
#pragma once

#include "engine/request/setting.h"

#include <optional>
#include <span>
#include <string>

namespace engine
{

// Why the kernel of the request isn't one of method `id`'s (slice mode, oversampling), in words for the user; nothing
// when it is.
std::optional<std::string> kernelLimits(const std::string& id, std::span<const int> slicesPerPass,
                                        const Request& request);

// The same for a method of the processor, and that it runs there.
std::optional<std::string> processorLimits(const std::string& id, std::span<const int> slicesPerPass,
                                           const Request& request);

} // namespace engine
