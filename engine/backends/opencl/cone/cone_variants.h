// SPDX-License-Identifier: GPL-3.0-or-later
// Values of Kernel::variant of the cone-beam method, which use fewer symmetries.
#pragma once

namespace engine::opencl
{

inline constexpr const char *singleTexels = "single", *mirroredTexels = "mirrored", *fourfoldTexels = "fourfold";

} // namespace engine::opencl
