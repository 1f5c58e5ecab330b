// The innermost loops of the `cpu` method for cone beams, compiled with Highway for several instruction sets and chosen
// when the program runs: a block of projections added to some voxels.
#pragma once

#include "engine/backproject/cone/cpu/stored_columns.h"
#include "engine/backproject/cone/views.h"

#include <cstddef>

namespace engine
{

constexpr int coneTileEdge = 16;           // columns of voxels along each side of a tile
constexpr int coneProjectionsPerBlock = 4; // whose interpolated columns fit a first-level cache
constexpr int coneVoxelsAtOnce = 16;       // columns are summed in whole vectors
constexpr double mostRowsPerVoxel = 1.8;   // two registers hold the rows that a vector of voxels meets
constexpr int gatherTileEdge = 64, gatherRowMargin = 2;

// Some voxels, and a block of projections.
struct ConeTile {
    const StoredColumns& stored;
    const ProjectionMatrix* views = nullptr; // of the launch's voxels; of the block's first projection
    int firstProjection = 0, projections = 0;
    int nextProjections = 0;            // of the block behind it
    int column = 0, row = 0, slice = 0; // of the first voxel
    int columns = 0, rows = 0;
    int voxels = 0;        // columnKernel: of each half of a column, whole vectors of coneVoxelsAtOnce
    float* sums = nullptr; // added to. columnKernel: [rows][coneTileEdge][half][voxels]; gatherKernel:
                           // [rows][gatherTileEdge]
};

using ConeKernel = void (*)(const ConeTile&);

// Columns of voxels that meet one bin each, 0 to mostRowsPerVoxel rows from one voxel to the next: the two bins beside
// it are interpolated first, into a short column, from which rows are permuted to voxels. Stored without a margin of
// rows; where it is mirrored, voxel k of the second half is the one as far from the last slice. `slices`: voxels of a
// half that are kept in registers, at most.
ConeKernel columnKernel(Interpolation interpolation, bool half, bool mirrored, int slices);

// Any matrices, one slice: rows and bins are gathered. Floats, with gatherRowMargin.
ConeKernel coneGatherKernel(Interpolation interpolation);

// Are positions so near to a tie of `nearest` that only `meetingOf` tells on which side of it they are?
constexpr double tieWidth = 1e-9, floatTieWidth = 4e-6;

} // namespace engine
