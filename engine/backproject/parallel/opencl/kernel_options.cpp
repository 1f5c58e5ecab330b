// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/parallel/opencl/kernel_options.h"

#include "engine/backproject/parallel/opencl/sources.h"

#include <algorithm>
#include <cmath>

namespace engine::opencl
{

namespace
{

// Returns the number of bins that a tile can meet, with a bin of margin on either side: the tile's diagonal, one bin
// for rounding down its lowest position, two margins and the right neighbour.
int segmentBins(int columns, int rows)
{
    return static_cast<int>(std::ceil(std::hypot(columns - 1, rows - 1))) + 4;
}

// How `alu` divides its work. The projections of a stage are bounded by local memory.
struct AluShape {
    int columns = 64, rows = 64, bins = 0;
    int stage = 16;
    int unroll = 2;      // projections per iteration of the inner loop
    int localBytes = 0;  // that they need
    int registers = 128; // most per thread, where the driver can be told: two groups of 256 on an NVIDIA GPU
};

// Returns the bytes that local memory holds per bin (Entry in alu.cl).
int bytesPerBin(const engine::Kernel& kernel)
{
    const int slices = kernel.slicesPerPass;
    const bool halves = kernel.precision == Precision::half && slices == 4;
    switch (kernel.interpolation) {
    case Interpolation::nearest:
        return halves ? 8 : 4 * slices;
    case Interpolation::linear:
        return halves ? 16 : 8 * slices;
    case Interpolation::oversampled:
        return 4 * slices * kernel.oversampling;
    default:
        return 16 * slices;
    }
}

// Returns the division that was fastest on an H200 (tests/bench/results/h200-opencl.md), with stages that fit the
// device's local memory. A group gets 48 KB at most, so that others find room beside it.
AluShape aluShape(const engine::Kernel& kernel, const OpenClDevice& device, bool hybrid)
{
    const int slices = kernel.slicesPerPass;
    AluShape shape;
    if (hybrid) {
        shape.columns = shape.rows = 32;
        shape.stage = 8;
        shape.registers = 64; // four groups, of both kinds
    } else if (kernel.interpolation == Interpolation::oversampled && kernel.oversampling > 4)
        shape.rows = 16;
    else if (slices == 1 ? kernel.interpolation != Interpolation::cubic
                         : slices == 2 && (kernel.interpolation == Interpolation::linear ||
                                           kernel.interpolation == Interpolation::oversampled))
        shape.rows = 128;
    switch (kernel.interpolation) {
    case Interpolation::nearest:
    case Interpolation::oversampled:
        shape.unroll = 4;
        break;
    case Interpolation::linear:
        shape.unroll = slices == 1 ? 2 : 1;
        break;
    case Interpolation::cubic:
        shape.unroll = slices == 4 ? 1 : 2;
        break;
    }
    shape.bins = segmentBins(shape.columns, shape.rows);
    if (kernel.interpolation != Interpolation::oversampled) // neighbouring segments begin in the same bank
        shape.bins = (shape.bins + 7) / 8 * 8;
    const int perProjection = 2 * shape.bins * bytesPerBin(kernel) + 3 * (16 + 4); // two segments, three rays
    const int most = static_cast<int>(std::min(device.localBytes, 48.0 * 1024));
    while (shape.stage > 1 && shape.stage * perProjection > most)
        shape.stage /= 2;
    shape.localBytes = shape.stage * perProjection;
    return shape;
}

// Returns how many of eight groups of `hybrid` use the texture path.
int textureEighths(const engine::Kernel& kernel)
{
    if (kernel.interpolation == Interpolation::nearest)
        return 1;
    if (kernel.interpolation == Interpolation::oversampled)
        return 2;
    return kernel.slicesPerPass == 1 ? 2 : kernel.slicesPerPass == 2 ? 3 : 4;
}

int modeOf(Interpolation interpolation)
{
    switch (interpolation) {
    case Interpolation::nearest:
        return 0;
    case Interpolation::linear:
        return 1;
    case Interpolation::oversampled:
        return 2;
    default:
        return 3;
    }
}

} // namespace

std::string definition(const char* name, int value)
{
    return std::string(" -D") + name + "=" + std::to_string(value);
}

std::string passOptions(int slices, int channels, Precision precision)
{
    return "-w -cl-std=CL1.2" + definition("SLICES", slices) + definition("CHANNELS", channels) +
           definition("HALF", precision == Precision::half ? 1 : 0);
}

KernelChoice chosenKernel(ParallelMethod method, const engine::Kernel& kernel, int channels, bool coarse,
                          const OpenClDevice& device)
{
    KernelChoice choice;
    choice.passOptions = passOptions(kernel.slicesPerPass, channels, kernel.precision);
    choice.options = choice.passOptions;
    const bool isTexture = method == ParallelMethod::standard || method == ParallelMethod::texture;
    const bool isHybrid = method == ParallelMethod::hybrid && !coarse;
    const bool isSampled = isHybrid && kernel.interpolation == Interpolation::oversampled;
    if (isTexture || isHybrid)
        choice.options += definition("NEAREST", kernel.interpolation == Interpolation::nearest ? 1 : 0) +
                          definition("IMAGE_SAMPLES", isSampled ? kernel.oversampling : 0) +
                          (isHybrid ? " -DHYBRID -DRAY_SPACE=global" : " -DRAY_SPACE=constant");
    if (isTexture) {
        choice.source = std::string(commonSource) + textureSource;
        choice.name = method == ParallelMethod::standard ? "standardPixels" : "textureTiles";
        choice.readsImage = true;
        return choice;
    }
    const AluShape shape = aluShape(kernel, device, isHybrid);
    choice.options += definition("MODE", modeOf(kernel.interpolation)) + definition("SAMPLES", kernel.oversampling) +
                      definition("COLUMNS", shape.columns) + definition("ROWS", shape.rows) +
                      definition("BINS", shape.bins) + definition("STAGE", shape.stage) +
                      definition("UNROLL", shape.unroll) +
                      definition("HALF_ARITHMETIC", device.hasHalfArithmetic ? 1 : 0);
    if (device.platform.find("NVIDIA") != std::string::npos)
        choice.options += " -cl-nv-maxrregcount=" + std::to_string(shape.registers);
    choice.readsBuffer = true;
    if (isHybrid) {
        const int ofTexture = 4 * 16 * 16 * 4 * kernel.slicesPerPass;
        choice.options += definition("EIGHTHS", textureEighths(kernel)) +
                          definition("HYBRID_BYTES", (std::max(shape.localBytes, ofTexture) + 15) / 16 * 16);
        choice.source = std::string(commonSource) + textureSource + aluSource + hybridSource;
        choice.name = "hybridTiles";
        choice.readsImage = true;
    } else {
        choice.source = std::string(commonSource) + aluSource;
        choice.name = coarse ? "coarsePixels" : "aluTiles";
    }
    choice.isSplittable = !coarse;
    if (!coarse) {
        choice.tileColumns = shape.columns;
        choice.tileRows = shape.rows;
    }
    return choice;
}

} // namespace engine::opencl
