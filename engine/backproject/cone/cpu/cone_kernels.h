// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loops of the `cpu` method for cone beams, compiled with Highway for several instruction sets and chosen
// when the program runs: a block of projections added to some voxels.
#pragma once

#include "engine/backproject/cone/cpu/stored_columns.h"
#include "engine/backproject/cone/views.h"
#include "engine/data/sinograms.h"

#include <cstddef>

namespace engine
{

constexpr int coneTileColumns = 8, coneTileRows = 16; // of columns of voxels
constexpr int coneProjectionsPerBlock = 4;            // whose interpolated columns fit a first-level cache
constexpr int coneVoxelsAtOnce = 16;                  // columns are summed in whole vectors
constexpr double mostRowsPerVoxel = 1.8;              // two registers hold the rows that a vector of voxels meets
constexpr int rowTileColumns = 128, rowTileRows = 32;

// Some voxels, and a block of projections.
struct ConeTile {
    const ProjectionMatrix* views = nullptr; // of the launch's voxels; of the block's first projection
    int firstProjection = 0, projections = 0;
    int nextProjections = 0;            // of the block behind it
    int column = 0, row = 0, slice = 0; // of the first voxel
    int columns = 0, rows = 0;
    int voxels = 0;        // columnKernel: of each half of a column, whole vectors of coneVoxelsAtOnce
    float* sums = nullptr; // added to. columnKernel: [rows][coneTileColumns][half][voxels]; rowKernel:
                           // [rows][rowTileColumns]
};

// Columns of voxels that meet one bin each, 0 to mostRowsPerVoxel rows from one voxel to the next: the two bins beside
// it are interpolated first, into a short column, from which rows are permuted to voxels. Where `stored` is mirrored,
// voxel k of the second half is the one as far from the last slice. `slices`: voxels of a half that are kept in
// registers, at most.
using ConeColumnKernel = void (*)(const StoredColumns& stored, const ConeTile&);
ConeColumnKernel columnKernel(Interpolation interpolation, bool half, bool mirrored, int slices);

// Any matrices, one slice, floats.
using ConeRowKernel = void (*)(const SinogramView& filtered, const ConeTile&);
ConeRowKernel rowKernel(Interpolation interpolation);

// Are positions so near to a tie of `nearest` that only `meetingOf` tells on which side of it they are?
constexpr float floatTieWidth = 4e-6f, rowTieWidth = 1e-5f;

} // namespace engine
