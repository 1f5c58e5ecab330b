// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of planes, for the pipeline. Each launch adds some stored projections to the image.
#pragma once

#include "engine/backends/cuda/plane/row_groups.h"

namespace engine::cuda
{

// The image, whose pixel (i, j) is values[i·columnStride + j·rowStride], and the projections that are summed: `first`,
// first + step, … of the stored ones.
struct PlaneTarget {
    float* values = nullptr;
    std::size_t columnStride = 1, rowStride = 0;
    int width = 0, height = 0;
    RowGroupView stored;
    int groups = 0; // of rows, of a projection
    int rows = 0;   // of the detector
    int first = 0, step = 1;
    bool linear = true;       // between rows; otherwise the nearest row
    int count = 0;            // projections of the launch
    int multiprocessors = 1;  // of the device
    cudaStream_t stream = {}; // of the launch
};

// A projection of parallel beams: a pixel meets bin h + hx·x + hy·y, for x and y from the middle of the image; linear:
// half a bin less, so that it is between two bins.
struct ParallelPlaneView {
    float h, hx, hy;
    float factor; // of the stored values, beside ParallelPlaneArguments::unscale
};
// A kernel parameter holds 32 KB, and is read through the constant cache, which leaves the L1 cache to the rows.
constexpr int mostParallelPlaneViews = 1984;

// Parallel beams: the row doesn't depend on the projection.
struct ParallelPlaneArguments {
    PlaneTarget target;
    double r = 0, rx = 0, ry = 0;       // row of a pixel: r + rx·x + ry·y
    int firstGroup = 0, groupCount = 0; // upright planes: those that the image meets
    int bins = 0;
    bool half = false;       // what is stored
    float unscale = 1;       // factor of all stored values
    bool hasFactors = false; // some views have a factor other than 1
    ParallelPlaneView views[mostParallelPlaneViews];
};

// A projection of cone beams. A pixel meets bin (h + …)/(w + …) + bin − 0.5 and row (r + …)/(w + …) + 3·group − 1.
struct ConePlaneView {
    float h, hx, hy, r, rx, ry, w, wx, wy;
    float bin;
    int group;
    float unscale;
};
constexpr int mostConePlaneViews = 650;

struct ConePlaneArguments {
    PlaneTarget target;
    ConePlaneView views[mostConePlaneViews];
};

// Stores projections [row][projection][bin] in the memory of a RowGroupMemory from its projection `first` on. Halves
// are multiplied by the scale that `largest`, the bits of their largest finite magnitude, asks for.
struct PlaneStore {
    const float* filtered = nullptr;
    int projections = 0; // of `filtered`
    RowGroups groups;
    int first = 0;
    const unsigned* largest = nullptr;
    bool half = false;
    char* data = nullptr;
    std::size_t pitch = 0; // bytes of a group
};
void storeRowGroups(const PlaneStore& store, cudaStream_t stream);

// Raises *largest to the bits of the largest finite magnitude of the values.
void findLargest(const float* values, std::size_t count, unsigned* largest, cudaStream_t stream);

// Any plane.
void launchParallelPlane(const ParallelPlaneArguments& arguments);
// A plane whose rows are level and whose columns are upright: hy = 0 for all views, rx = 0, ry ≠ 0.
void launchUprightPlane(const ParallelPlaneArguments& arguments);
void launchConePlane(const ConePlaneArguments& arguments);
// A plane whose columns are upright: hy = wy = 0 for all views, and neighbouring pixels of a column meet rows that are
// at most mostConeRowStep apart.
constexpr double mostConeRowStep = 1.3;
void launchUprightCone(const ConePlaneArguments& arguments);

} // namespace engine::cuda
