// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of the methods in double precision before they are rounded to floats, for these methods and for tests that
// compare them.
#pragma once

#include "engine/backends/method.h"

#include <functional>
#include <span>

namespace engine
{

// Receiver of the sums of some neighbouring pixels of a row, without the scale of halves. Called from any thread.
using TakeSums = std::function<void(int slice, int row, int firstColumn, std::span<const double> sums)>;

// Back-project arguments.sinograms (doubles) and pass every pixel to `take` once. Only the size of arguments.image is
// used. Throw Error(badRequest, cancelled).
LaunchReport exactSums(const LaunchArguments& arguments, const TakeSums& take);  // rows in parallel, not optimised
LaunchReport doubleSums(const LaunchArguments& arguments, const TakeSums& take); // linear interpolation, fast
// Returns a receiver that writes the sums into the image, as floats.
TakeSums intoImage(Volume& image);

} // namespace engine
