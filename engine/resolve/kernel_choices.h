// SPDX-License-Identifier: GPL-3.0-or-later
// Which choices of the kernel (method, variant, interpolation, precision, slices per pass) a request can have.
#pragma once

#include "engine/options/options.h"

#include <optional>
#include <string>

namespace engine
{

// Returns why the kernel can't do the request; nothing if it can. A form can't choose more slices per pass than the
// scan has, although the last pass of a volume may be partly empty.
std::optional<Text> refusalOfKernel(const Request& request);

// Returns why a form can't offer this value of an option of the kernel; nothing if it can. The number of slices per
// pass and the variant may change with it.
std::optional<Text> whyNot(const Option& option, const std::string& value, const Request& request);

// Returns the request with as few other choices of the kernel as make it possible: another number of slices per pass,
// then no variant, then `auto`, then all defaults; these also if nothing is possible.
Request nearestPossible(const Request& request);

} // namespace engine
