// The innermost loops of the `cpu` method: one projection added to one tile of the image.
#pragma once

#include "engine/request.h"

namespace engine
{

// A tile is padded on the right to whole vectors of the widest instruction set.
constexpr int columnMultiple = 16;
constexpr int maxTileColumns = 64;
constexpr int windowSlack = 16; // floats that may be read past the end of a window

// One projection as a tile sees it. The window holds the bins that the tile's rays can reach, and
// one more on the left and two on the right; zeros where the detector ends.
struct TileProjection {
    const float* window = nullptr;         // [bin − base][slice]
    long long base = 0;                    // bin of window[0]
    const double* rowPositions = nullptr;  // [rows], rays.h
    const double* columnOffsets = nullptr; // [columns], rays.h
    int rows = 0;
    int columns = 0; // multiple of columnMultiple, ≤ maxTileColumns
    int oversampling = 4;
    float* sums = nullptr; // [row][column][slice]
};

using TileKernel = void (*)(const TileProjection&);

// slices: 1, 2, 4 or 8. The same loops compiled for several instruction sets; those of the newest
// one that this processor has.
TileKernel tileKernel(Interpolation interpolation, int slices);
const char* tileKernelName(); // "baseline", "avx2" or "avx512"

namespace baseline
{
TileKernel tileKernel(Interpolation interpolation, int slices);
}
namespace avx2
{ // AVX2, FMA
TileKernel tileKernel(Interpolation interpolation, int slices);
}
namespace avx512
{ // AVX-512 F, DQ, BW, VL
TileKernel tileKernel(Interpolation interpolation, int slices);
}

} // namespace engine
