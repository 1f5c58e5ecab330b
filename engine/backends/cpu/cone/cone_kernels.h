// SPDX-License-Identifier: GPL-3.0-or-later
// Innermost loops of the method `cpu` for cone beams: add a block of projections to some voxels. Compiled with
// Highway for several instruction sets, one of which is chosen at run time.
#pragma once

#include "engine/backends/cone/views.h"
#include "engine/backends/cpu/cone/stored_columns.h"
#include "engine/data/sinograms.h"

#include <cstddef>

namespace engine
{

constexpr int coneTileColumns = 8, coneTileRows = 16; // columns of voxels per tile
constexpr int coneProjectionsPerBlock = 4;            // their interpolated columns fit a first-level cache
constexpr int coneVoxelsAtOnce = 16;                  // columns are summed in whole vectors
constexpr double mostRowsPerVoxel = 1.8;              // limit: two registers hold the rows that a vector meets
constexpr int rowTileColumns = 128, rowTileRows = 32;

// Voxels of a tile, and a block of projections.
struct ConeTile {
    const ProjectionMatrix* views = nullptr; // of the launch's grid, from the block's first projection on
    int firstProjection = 0, projections = 0;
    int nextProjections = 0;            // of the next block
    int column = 0, row = 0, slice = 0; // of the first voxel
    int columns = 0, rows = 0;
    int voxels = 0;        // columnKernel: per half of a column, a multiple of coneVoxelsAtOnce
    float* sums = nullptr; // added to. columnKernel: [rows][coneTileColumns][half][voxels]; rowKernel:
                           // [rows][rowTileColumns]
};

// Returns the kernel for columns of voxels. All voxels of a column must meet the same bin position, and neighbouring
// voxels must be 0 to mostRowsPerVoxel rows apart. The two bins beside that position are interpolated first, into a
// short column, from which rows are permuted to voxels. If `stored` is mirrored, voxel k of the second half is the k-th
// from the last slice. The kernel sums 4, 2 or 1 vectors of voxels of each half simultaneously in registers: as
// many as `slices` voxels fill, but at least 1.
using ConeColumnKernel = void (*)(const StoredColumns& stored, const ConeTile&);
ConeColumnKernel columnKernel(Interpolation interpolation, bool half, bool mirrored, int slices);

// Returns the kernel for any matrices, one slice, floats.
using ConeRowKernel = void (*)(const SinogramView& filtered, const ConeTile&);
ConeRowKernel rowKernel(Interpolation interpolation);

// Distance from a tie of `nearest` within which only `meetingOf` can tell on which side of it a position lies.
constexpr float floatTieWidth = 4e-6f, rowTieWidth = 1e-5f;

} // namespace engine
