// SPDX-License-Identifier: GPL-3.0-or-later
// The likely unit of an image whose file specifies none.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace engine
{

// Returns the unit of imageUnits in which `read` would fit `image`: the median of their ratios over the brighter pixels
// is then within 2 % of 1. Nothing if no unit fits, or if `read` fits as it is. unit: of `image`. pixelSizeMm: of both.
std::optional<std::string> unitThatFits(std::span<const float> read, std::span<const float> image,
                                        const std::string& unit, std::optional<double> pixelSizeMm);

} // namespace engine
