// SPDX-License-Identifier: GPL-3.0-or-later
// Share of the blocks that the hybrid methods run on the texture unit, as names of their variants: "0/8" to "8/8".
#pragma once

#include <string>
#include <vector>

namespace engine
{

struct Variant;

std::vector<Variant> hybridShares();
int eighthsFromText(const std::string& text); // throws Error(badRequest)

} // namespace engine
