// SPDX-License-Identifier: GPL-3.0-or-later
// Innermost loop of planes on the processor. Compiled with Highway for several instruction sets, one of which is chosen
// at run time.
#pragma once

#include "engine/backends/cut_points.h"

#include <cstddef>

namespace engine
{

// A projection as seen from a run of neighbouring pixels in a row of the image: pixel k meets bin
// bin + (h + k·hStep)/(w + k·wStep), and a row likewise. bin and row lie on the detector, near the run, so that floats
// have the digits for the rest.
struct PlaneRay {
    const float* values = nullptr; // of the projection, from row `row` and bin 0 on
    int bin = 0, row = 0;          // the row may be up to `reach` − 1 rows outside
    float h = 0, hStep = 0, r = 0, rStep = 0, w = 1, wStep = 0;
};

struct PlaneRays {
    const PlaneRay* rays = nullptr;
    int count = 0;
    int rows = 0, bins = 0;
    int rowStride = 0; // values from one row to the next
    int reach = 0;     // rows from PlaneRay::row that offsets of 32 bits reach; pixels that count meet no others
};

// Adds values of all rays to the sums of planeRunPixels pixels. Parallel beams: w = 1 and wStep = 0.
using PlaneKernel = void (*)(const PlaneRays&, float* sums);
PlaneKernel planeKernel(bool linear, bool isParallel);

} // namespace engine
