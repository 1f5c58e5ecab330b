// SPDX-License-Identifier: GPL-3.0-or-later
// What every CUDA kernel is given: sinograms on the device, geometry per projection, an image.
#pragma once

#include "engine/backproject/parallel/cuda/tuning.h"
#include "engine/cuda/buffer.h"
#include "engine/data/volume.h"
#include "engine/request/setting.h"

#include <cuda_runtime.h>

#include <vector>

namespace engine::cuda
{

// Pixel (row, column) of the image meets projection p at bin start + column·perColumn + row·perRow.
// In double: a kernel splits it into a whole bin near its tile and a small float.
struct alignas(16) Ray {
    float4 single; // start, perColumn, perRow in float, for kernels whose texture unit is coarser
    double start;
    double perColumn; // step·cosθ
    double perRow;    // −step·sinθ
};

std::vector<Ray> raysOf(const ParallelBeam& beam, const SliceGrid& grid);

// Filtered sinograms of one pass, interleaved: [projection][bin][slice], `slices` values of float or
// half beside each other; rows are pitchBytes apart.
struct DeviceSinograms {
    const void* data = nullptr;
    std::size_t pitchBytes = 0;
    int bins = 0;
    int projections = 0;
    int slices = 1; // 1, 2 or 4
    Precision precision = Precision::single;
};

constexpr int mostSplits = 16;

struct KernelArguments {
    DeviceSinograms sinograms;
    cudaTextureObject_t texture = 0; // over the sinograms, filtering as the interpolation says
    const Ray* rays = nullptr;       // device, one per projection
    const Ray* hostRays = nullptr;   // the same in host memory, read before the launch returns
    int width = 0, height = 0;       // of the image
    float* image = nullptr;          // device, [slice][height][width]; every value is overwritten
    const float* unscale = nullptr;  // device, one value: multiplies the sums, undoes the scale of half data
    Interpolation interpolation = Interpolation::linear;
    int oversampling = 4;
    int textureEighths = -1;      // hybrid: blocks of eight that take the texture path, 0…8; −1: as tuned
    int splits = 1;               // parts of the projections that are summed apart, see partial
    float* partial = nullptr;     // device, [split][slice][height][width] where splits > 1
    bool coarse = false;          // pixels further apart than bins: the tiles of alu and hybrid don't reach
    unsigned* counters = nullptr; // device, one per multiprocessor; hybrid
    int multiprocessors = 1;
    int computeCapability = 90; // 10·major + minor
    AluVariant aluVariant = AluVariant::tuned;
    cudaStream_t stream = nullptr;
};

// Kernels only enqueue on the stream; the texture and all buffers must outlive the work.
// image = Σ over the splits of partial, in order (the same result every time).
void sumSplits(const KernelArguments& arguments);

void launchStandard(const KernelArguments& arguments);
void launchTexture(const KernelArguments& arguments);
void launchAlu(const KernelArguments& arguments);
void launchHybrid(const KernelArguments& arguments);

// Blocks of a launch without splits, for choosing how many splits fill the device.
int blocksStandard(const KernelArguments& arguments);
int blocksTexture(const KernelArguments& arguments);
int blocksAlu(const KernelArguments& arguments);
int blocksHybrid(const KernelArguments& arguments);
int residentAlu(const KernelArguments& arguments);

} // namespace engine::cuda
