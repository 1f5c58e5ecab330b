// SPDX-License-Identifier: GPL-3.0-or-later
// The sums of the methods in double precision, before they are rounded to floats: for the methods, and for tests
// that compare them.
#pragma once

#include "engine/backproject/method.h"

#include <functional>
#include <span>

namespace engine
{

// Takes the sums of some neighbouring pixels of a row, scale of halves undone. Called from any thread.
using TakeSums = std::function<void(int slice, int row, int firstColumn, std::span<const double> sums)>;

// Back-project arguments.sinograms (in doubles) and hand over every pixel once; arguments.image is only asked for its
// size. Throw Error (badRequest, cancelled).
LaunchReport exactSums(const LaunchArguments& arguments, const TakeSums& take);  // one thread per row, nothing clever
LaunchReport doubleSums(const LaunchArguments& arguments, const TakeSums& take); // linear interpolation, fast
// The same bits as exactSums (but for the kind of a NaN), in the caller's thread. Throws Error (device, noMemory) too.
LaunchReport exactSumsOnGpu(const LaunchArguments& arguments, const TakeSums& take);

// Writes what it takes into the image, as floats.
TakeSums intoImage(Volume& image);

} // namespace engine
