// SPDX-License-Identifier: GPL-3.0-or-later
// How sinograms are stored and interpolated. A header of its own, because every CUDA kernel includes it: nvcc reads a
// header three times.
#pragma once

namespace engine
{

enum class Interpolation { nearest, linear, oversampled, cubic };
enum class Precision { single, half }; // of stored sinograms: float ("float") or IEEE half; sums are always float

} // namespace engine
