// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the CUDA kernels: sinograms on the device, geometry per projection, an image.
#pragma once

#include "engine/backends/cuda/device/check.h"
#include "engine/backends/cuda/parallel/alu_tuning.h"
#include "engine/backends/cuda/parallel/texture_steps.h"
#include "engine/data/grid.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

namespace engine
{

struct ParallelBeam;

}

namespace engine::cuda
{

// Ray geometry of a projection: pixel (row, column) of the image meets it at bin start + column·perColumn +
// row·perRow. In doubles, because a kernel splits the position into a whole bin near its tile and a small float.
struct alignas(16) Ray {
    float4 single; // start, perColumn, perRow as floats, for kernels whose texture unit is coarser
    double start;
    double perColumn; // step·cosθ
    double perRow;    // −step·sinθ
};

std::vector<Ray> raysOf(const ParallelBeam& beam, const SliceGrid& grid);

// Filtered sinograms of one pass, interleaved: [projection][bin][slice] with `slices` adjacent floats or halves; rows
// are pitchBytes apart. For `tensor` in a TensorLayout.
struct DeviceSinograms {
    const void* data = nullptr;
    std::size_t pitchBytes = 0;
    int bins = 0;
    int projections = 0;
    int slices = 1; // 1, 2 or 4; 8 to 128 in a TensorLayout
    Precision precision = Precision::single;
};

constexpr int mostSplits = 16;

struct KernelArguments {
    DeviceSinograms sinograms;
    cudaTextureObject_t texture = 0; // over the sinograms; point-sampled if the interpolation is nearest, else linear
    const Ray* rays = nullptr;       // device, one per projection
    const Ray* hostRays = nullptr;   // the same in host memory, read before the launch returns
    int width = 0, height = 0;       // of the image
    float* image = nullptr;          // device, [slice][height][width]; every value is overwritten
    const float* unscale = nullptr;  // device, one value: factor for the sums, removes the scale of half data
    Interpolation interpolation = Interpolation::linear;
    int oversampling = 4;
    int textureEighths = -1;      // hybrid: how many of eight blocks use the texture path, 0…8; −1: as tuned
    int splits = 1;               // parts of the projections that are summed separately, see partial
    float* partial = nullptr;     // device, [split][slice][height][width] where splits > 1
    bool coarse = false;          // pixels further apart than bins, too far for the tiles of alu and hybrid
    unsigned* counters = nullptr; // device, one per multiprocessor; hybrid
    int multiprocessors = 1;
    int computeCapability = 90; // 10·major + minor
    AluVariant aluVariant = AluVariant::tuned;
    TextureStep textureStep = TextureStep::all;
    cudaStream_t stream = nullptr;
};

// sumSplits adds the splits of `partial` to give the image, in order, so that the result is the same every time. Like
// all kernels it only enqueues work on the stream; the texture and all buffers must outlive that work.
void sumSplits(const KernelArguments& arguments);

void launchStandard(const KernelArguments& arguments);
void launchTexture(const KernelArguments& arguments);
void launchTextureStep(const KernelArguments& arguments); // any step but `all`
void launchAlu(const KernelArguments& arguments);
void launchHybrid(const KernelArguments& arguments);

// Return the number of blocks of a launch without splits, from which the number of splits that fills the device is
// chosen.
int blocksStandard(const KernelArguments& arguments);
int blocksTexture(const KernelArguments& arguments);
int blocksAlu(const KernelArguments& arguments);
int blocksHybrid(const KernelArguments& arguments);
int residentAlu(const KernelArguments& arguments);

} // namespace engine::cuda
