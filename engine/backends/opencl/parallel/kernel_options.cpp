// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/parallel/kernel_options.h"

#include "engine/backends/opencl/parallel/sources.h"
#include "engine/backends/opencl/parallel/variants.h"

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

// Returns whether local memory holds halves by default.
bool storesHalves(const engine::Kernel& kernel)
{
    return kernel.precision == Precision::half && kernel.slicesPerPass == 4 &&
           (kernel.interpolation == Interpolation::nearest || kernel.interpolation == Interpolation::linear);
}

// Returns whether local memory holds floats because of the variant, though the data may be halves.
bool storesFloats(AluVariant variant, Interpolation interpolation)
{
    switch (variant) {
    case AluVariant::values:
    case AluVariant::pairs:
    case AluVariant::differences:
    case AluVariant::slopes:
        return interpolation == Interpolation::linear;
    case AluVariant::floats:
        return interpolation == Interpolation::nearest;
    default:
        return false;
    }
}

// Returns the definitions of a variant for alu.cl; empty if it doesn't exist for these settings, is the default there,
// or is a matter of AluShape.
std::string definitionsOf(AluVariant variant, const engine::Kernel& kernel)
{
    const bool isLinear = kernel.interpolation == Interpolation::linear, halves = storesHalves(kernel);
    const bool isSampled = kernel.interpolation == Interpolation::oversampled;
    const int slices = kernel.slicesPerPass;
    const auto onlyIf = [](bool exists, std::string text) { return exists ? std::move(text) : std::string(); };
    switch (variant) {
    case AluVariant::values:
        return onlyIf(isLinear, definition("CACHE", 1));
    case AluVariant::pairs:
        return onlyIf(isLinear, definition("CACHE", 2));
    case AluVariant::differences:
        return onlyIf(isLinear, definition("CACHE", 3));
    case AluVariant::slopes:
        return onlyIf(isLinear && halves, definition("CACHE", 4));
    case AluVariant::floats:
        return onlyIf(halves && !isLinear, definition("FLOATS", 1));
    case AluVariant::halves:
        return onlyIf(halves && isLinear, definition("HALF_ARITHMETIC", -1));
    case AluVariant::oneBuffer:
        return onlyIf((isLinear && slices == 4 && !halves) || (isSampled && slices > 1), definition("ONE_BUFFER", 1));
    case AluVariant::manyBuffers:
        return onlyIf(isLinear && (slices < 4 || halves), definition("MANY_BUFFERS", 1));
    case AluVariant::textureFill: // the unit's weights of 8 bits have quarters exactly
        return onlyIf(!isSampled || kernel.oversampling == 4, definition("TEXTURE_FILL", 1));
    case AluVariant::conversion:
        return definition("ROUNDING", 1);
    case AluVariant::floatAddress:
        return definition("ROUNDING", 2);
    case AluVariant::squares:
        return definition("ORDER", 1);
    case AluVariant::lines:
        return definition("ORDER", 2);
    case AluVariant::columnCache:
        return definition("COLUMN_CACHE", 1);
    case AluVariant::noSineCache:
        return definition("GLOBAL_SINES", 1);
    default:
        return {};
    }
}

// Returns the bytes that local memory holds per bin (Entry in alu.cl).
int bytesPerBin(const engine::Kernel& kernel, AluVariant variant)
{
    const int slices = kernel.slicesPerPass;
    const bool halves = storesHalves(kernel) && !storesFloats(variant, kernel.interpolation);
    if (variant == AluVariant::values && kernel.interpolation == Interpolation::linear)
        return 4 * slices;
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
// device's local memory. A group gets 48 KB at most, so that others find room beside it. Variants change it in one
// point.
AluShape aluShape(const engine::Kernel& kernel, const Device& device, bool hybrid, AluVariant variant)
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
    if (variant == AluVariant::smallTile) {
        shape.columns = shape.rows = 32;
        shape.registers = 64; // four groups
    } else if (variant == AluVariant::squareTile || variant == AluVariant::tallTile)
        shape.rows = variant == AluVariant::squareTile ? 64 : 128;
    if (variant == AluVariant::unrolled || variant == AluVariant::rolled)
        shape.unroll = variant == AluVariant::unrolled ? 8 : 1;
    shape.bins = segmentBins(shape.columns, shape.rows);
    if (kernel.interpolation != Interpolation::oversampled) // neighbouring segments begin in the same bank
        shape.bins = (shape.bins + 7) / 8 * 8;
    const int perProjection = 2 * shape.bins * bytesPerBin(kernel, variant) + 3 * (16 + 4) + // two segments, three rays
                              (variant == AluVariant::columnCache ? 2 * 4 * shape.columns : 0);
    const int most = static_cast<int>(std::min(device.localBytes, 48.0 * 1024));
    while (shape.stage > 1 && shape.stage * perProjection > most)
        shape.stage /= 2;
    if (variant == AluVariant::shortStages && shape.stage > 1)
        shape.stage /= 2;
    if (variant == AluVariant::longStages && 2.0 * shape.stage * perProjection <= device.localBytes)
        shape.stage *= 2;
    shape.localBytes = shape.stage * perProjection;
    return shape;
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

// Chooses the kernel of a single step. Its options are complete but for its own definition.
void setTextureStep(TextureStep step, KernelChoice& choice)
{
    if (step == TextureStep::zOrder) {
        choice.options += " -DZ_ORDER";
        choice.name = "standardPixels";
        return;
    }
    choice.options += " -DSTEP";
    choice.source += textureStepsSource;
    choice.name = step == TextureStep::fourProjections ? "fourProjections" : "localConstants";
    if (step == TextureStep::sharedConstants)
        choice.rays = RayInput::floats;
}

// Returns the options of alu.cl beside those of pass.cl.
std::string aluOptions(const AluShape& shape, const engine::Kernel& kernel, AluVariant variant, const Device& device)
{
    const std::string varied = definitionsOf(variant, kernel);
    const bool isNvidia = device.platform.find("NVIDIA") != std::string::npos;
    return definition("MODE", modeOf(kernel.interpolation)) + definition("SAMPLES", kernel.oversampling) +
           definition("COLUMNS", shape.columns) + definition("ROWS", shape.rows) + definition("BINS", shape.bins) +
           definition("STAGE", shape.stage) + definition("UNROLL", shape.unroll) +
           (varied.starts_with(" -DHALF_ARITHMETIC")
                ? std::string()
                : definition("HALF_ARITHMETIC", device.hasHalfArithmetic ? 1 : 0)) +
           varied + (isNvidia ? " -cl-nv-maxrregcount=" + std::to_string(shape.registers) : "");
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

bool readsImage(ParallelMethod method, const engine::Kernel& kernel, bool coarse)
{
    switch (method) {
    case ParallelMethod::standard:
    case ParallelMethod::texture:
        return true;
    case ParallelMethod::hybrid:
        return !coarse;
    case ParallelMethod::alu:
        return !coarse && aluVariantFromText(kernel.variant) == AluVariant::textureFill;
    }
    return false;
}

KernelChoice chosenKernel(ParallelMethod method, const engine::Kernel& kernel, int channels, bool coarse,
                          const Device& device)
{
    KernelChoice choice;
    choice.passOptions = passOptions(kernel.slicesPerPass, channels, kernel.precision);
    choice.options = choice.passOptions;
    choice.readsImage = readsImage(method, kernel, coarse);
    const bool isTexture = method == ParallelMethod::standard || method == ParallelMethod::texture;
    const bool isHybrid = method == ParallelMethod::hybrid && !coarse;
    const bool isSampled = isHybrid && kernel.interpolation == Interpolation::oversampled;
    const TextureStep step = method == ParallelMethod::texture ? textureStepFromText(kernel.variant) : TextureStep::all;
    const bool hasGlobalRays = isHybrid || step == TextureStep::sharedConstants;
    if (isTexture || isHybrid)
        choice.options += definition("NEAREST", kernel.interpolation == Interpolation::nearest ? 1 : 0) +
                          definition("IMAGE_SAMPLES", isSampled ? kernel.oversampling : 0) +
                          (isHybrid ? " -DHYBRID" : "") +
                          (hasGlobalRays ? " -DRAY_SPACE=global" : " -DRAY_SPACE=constant");
    if (isTexture) {
        choice.source = std::string(commonSource) + textureSource;
        choice.name = method == ParallelMethod::standard ? "standardPixels" : "textureTiles";
        if (step != TextureStep::all)
            setTextureStep(step, choice);
        return choice;
    }
    const AluVariant variant =
        method == ParallelMethod::alu && !coarse ? aluVariantFromText(kernel.variant) : AluVariant::tuned;
    const AluShape shape = aluShape(kernel, device, isHybrid, variant);
    choice.options += aluOptions(shape, kernel, variant, device);
    choice.readsBuffer = !choice.readsImage || isHybrid;
    choice.rays = isHybrid ? RayInput::both : RayInput::fixedPoint;
    choice.localBytes = shape.localBytes;
    if (isHybrid) {
        const int ofTexture = 4 * 16 * 16 * 4 * kernel.slicesPerPass;
        choice.options +=
            definition("EIGHTHS", textureEighths(kernel.variant, kernel.interpolation, kernel.slicesPerPass)) +
            definition("HYBRID_BYTES", (std::max(shape.localBytes, ofTexture) + 15) / 16 * 16);
        choice.source = std::string(commonSource) + textureSource + aluSource + hybridSource;
        choice.name = "hybridTiles";
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

std::optional<std::string> aluProblem(const engine::Kernel& kernel, const Device& device)
{
    const auto choice = [&](const engine::Kernel& of) {
        return chosenKernel(ParallelMethod::alu, of, of.slicesPerPass, false, device);
    };
    const KernelChoice chosen = choice(kernel);
    const std::string slices =
        std::to_string(kernel.slicesPerPass) + (kernel.slicesPerPass == 1 ? " slice" : " slices");
    std::string name = "`alu-opencl` ";
    if (!kernel.variant.empty()) {
        engine::Kernel plain = kernel;
        plain.variant.clear();
        name = "the variant '" + kernel.variant + "' of `alu-opencl` ";
        if (chosen.options == choice(plain).options)
            return name + "does not exist for " + toText(kernel.interpolation) + ", " + toText(kernel.precision) +
                   " and " + slices + ", or is the default there";
        if (chosen.readsImage && !device.hasImages)
            return name + "needs images, which the OpenCL device " + device.name + " doesn't have";
    }
    const auto kilobytes = [](double bytes) {
        return std::to_string(static_cast<int>(std::ceil(bytes / 1024))) + " KB";
    };
    if (chosen.localBytes > device.localBytes)
        return name + "needs " + kilobytes(chosen.localBytes) + " of local memory for " + toText(kernel.interpolation) +
               (kernel.interpolation == Interpolation::oversampled ? ":" + std::to_string(kernel.oversampling) : "") +
               " and " + slices + "; the OpenCL device " + device.name + " has " + kilobytes(device.localBytes) +
               "; take fewer samples or slices";
    return std::nullopt;
}

} // namespace engine::opencl
