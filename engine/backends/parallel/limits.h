// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of a method's kernels.
#pragma once

#include "engine/request/setting.h"

#include <optional>
#include <span>
#include <string>

namespace engine
{

// Returns why method `id` has no kernel for the request (slice mode, oversampling), in words for the user; nothing if
// it has one.
std::optional<std::string> kernelLimits(const std::string& id, std::span<const int> slicesPerPass,
                                        const Request& request);

} // namespace engine
