// SPDX-License-Identifier: GPL-3.0-or-later
// Rounding of positions by addition (Chilingaryan et al. 2020, section 6.6).
#pragma once

namespace engine::cuda
{

// For |h| < 2²² the last bits of h + roundingMagic are the nearest integer.
constexpr float roundingMagic = 12582912.0f; // 1.5·2²³
constexpr unsigned roundingBits = 0x4B400000;

// Added to h, so that a tie between two bins goes up, as in floor(h + 1/2), and is not decided by rounding errors of
// h.
constexpr float tieUp = 1.0f / (1 << 17);

} // namespace engine::cuda
