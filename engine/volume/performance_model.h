// SPDX-License-Identifier: GPL-3.0-or-later
// Performance model of a back-projection on many ranks: the seconds of each stage, computed from the rates of the
// machine. Runs without ranks and devices. After Chen et al. 2019 (iFDK), sections 4.1 and 4.2, whose equations are
// named.
#pragma once

#include "engine/volume/rank_grid.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Projections of bins × rows, back-projected to a volume of x × y × z voxels that is as high as the detector appears
// at the rotation axis.
struct Problem {
    int bins = 2048, rows = 2048, projections = 4096;
    int sizeX = 4096, sizeY = 4096, sizeZ = 4096;
    double bytesPerSample = 4; // as loaded; filtered samples are floats
    double bytesPerVoxel = 4;  // as stored; summed voxels are floats
    // Cone beams: half the diagonal of a slice over the distance from source to axis, below 1. The larger it is, the
    // more detector rows a slab needs beyond its proportional share. 0: parallel beam.
    double coneRatio = 0;
    // Weak scaling: each rank adds as many projections, instead of the number above; 0: the number above.
    int projectionsPerRank = 0;
    bool inPairs = false; // a slab is two groups of slices that mirror each other, and needs the rows between them too
};

// Returns the problem with its number of projections for that many ranks.
Problem forRanks(const Problem& problem, int ranks);

double voxelsOf(const Problem& problem);
double gigaUpdatesPerSecond(const Problem& problem, double seconds);

// How projections are distributed to the grid of ranks. Each row of ranks reconstructs a slab of the volume, each
// column uses a share of the projections.
enum class Loading {
    // A rank loads and filters its N_p/(C·R) whole projections; the ranks of a column exchange theirs (Chen et al.
    // 2019, Eq 5).
    gathered,
    // A rank loads and filters, of its column's N_p/C projections, the detector rows that its slab needs.
    bands,
    // A rank loads its N_p/(C·R) whole projections, which the ranks of a column exchange as recorded before they
    // reconstruct; then each filters the detector rows that its slab needs.
    exchanged,
};
struct LoadingRow {
    Loading loading;
    const char* id;      // "bands"
    const char* summary; // "each rank loads the detector rows that its slab needs"
};
const std::vector<LoadingRow>& loadingRows();
const LoadingRow& loadingRow(Loading loading);
std::string toText(Loading loading);
Loading loadingFromText(const std::string& text); // throws Error(badRequest)

// Rates of a machine, per second. A rate that is not set means that its stage takes no time.
struct Rates {
    std::string name;
    Loading loading = Loading::bands;
    int gpusPerNode = 1;       // each runs one rank
    int connectorsPerNode = 1; // links to the host, shared by the node's GPUs
    int slicesPerPass = 1;     // of the kernel; a rank reconstructs at least as many
    double gpuMemoryBytes = 0;
    std::optional<double> load;   // bytes from storage, all ranks together
    std::optional<double> filter; // samples per node: projections × bins × rows
    // Bytes of filtered projections (exchanged: of recorded ones) that each rank receives. Eq 10 counts exchanges of R
    // projections instead, which take longer for larger R.
    std::optional<double> allGather;
    std::optional<double> hostToDevice; // bytes per link
    std::optional<double> deviceToHost; // bytes per link
    std::optional<double> kernel;       // updates per GPU
    std::optional<double> transpose;    // bytes of a slab, on its GPU
    std::optional<double> reduce;       // bytes of a slab, whatever the number of columns
    std::optional<double> store;        // bytes to storage, all ranks together
};

// Optional rates of a machine, as files and tables name them.
struct RateRow {
    const char* key;   // "loadBytesPerSecond"
    const char* label; // "load"
    const char* unit;  // "B": bytes; other units are shown in giga
    const char* stage; // id of the stage (modelStages()) whose seconds the rate determines
    std::optional<double> Rates::*rate;
};
const std::vector<RateRow>& rateRows();

// Returns the grid for this number of ranks. Gathered projections: as few rows as the GPU memory allows, because all
// ranks of a column receive all of its projections (4.1.5, Eqs 4 and 7). Bands: the fastest grid, as rankGridFor() in
// rank_grid.h chooses for a request. rows: number of rows, if given. Throws Error(badRequest): the ranks can't be
// divided so, or no slab fits into memory.
RankGrid rankGridFor(const Problem& problem, const Rates& rates, int ranks, const std::optional<int>& rows = {});

// Returns the number of detector rows that slab `slab` of `slabs` equal slabs needs; for cone beams accurate to a row
// or two (exact: rowsFor in scan/geometry.h).
double bandRows(const Problem& problem, int slab, int slabs);

// Seconds of the slowest rank. If a GPU can't hold its slab together with 32 projections (the limit after Eq 7), the
// rank reconstructs the slab in several passes, one after the other.
struct Prediction {
    RankGrid grid;
    int passes = 1;
    bool loadsFirst = false; // loading and AllGather end before the other stages begin
    double load = 0, filter = 0, allGather = 0, hostToDevice = 0, kernel = 0;
    double transpose = 0, deviceToHost = 0, reduce = 0, store = 0;

    double backProjection() const; // T_bp, Eq 12
    double compute() const;        // the stages that overlap, Eq 17
    double post() const;           // the stages after them, Eq 18
    double total() const;          // T_runtime, Eq 19; post() of a pass overlaps with the next pass
    double loading() const;        // before the other stages
};

// passes: number of passes, if known. Throws Error(badRequest) if no slab fits into memory.
Prediction predict(const Problem& problem, const Rates& rates, const RankGrid& grid,
                   const std::optional<int>& passes = {});

// Returns the first of the grids with the least predicted time. passesOf: number of passes of each grid, if known.
RankGrid fastestOf(const std::vector<RankGrid>& grids, const Problem& problem, const Rates& rates,
                   const std::function<int(const RankGrid&)>& passesOf = {});

// A row of a prediction. modelStages() lists them in the order in which the stages run.
struct ModelStage {
    const char* id;    // "allGather"
    const char* label; // "AllGather"
    bool inTable;      // false: a sum of other rows
    double (*seconds)(const Prediction&);
};
const std::vector<ModelStage>& modelStages();
const ModelStage& modelStage(const std::string& id); // throws Error(badRequest)

// The prediction for a number of ranks.
struct ModelledRanks {
    int ranks = 1;       // number of ranks of prediction.grid
    int projections = 0; // of the problem
    Prediction prediction;
    double gups = 0;
    double efficiency = 1; // speed per rank, relative to that with the first number of ranks
};
// The problem's projectionsPerRank determines the number of projections for each number of ranks.
std::vector<ModelledRanks> modelRanks(const Problem& problem, const Rates& rates, const std::vector<RankGrid>& grids);

// A stage's predicted time beside its measured time.
struct ComparedStage {
    const ModelStage* stage = nullptr;
    double predicted = 0, measured = 0; // seconds
    std::optional<double> ratio;        // predicted over measured; not set where the measured time is 0
    std::optional<double> share;        // of the run's time; not set where "total" was not measured
};

struct ModelComparison {
    std::vector<ComparedStage> stages; // the measured ones, in the order of modelStages()
    // δ of Chen et al. 2019, Table 5: filter, AllGather (if any) and back-projection over compute. Not set unless
    // these times were measured.
    std::optional<double> overlap;
};

// measured: seconds by ids of modelStages(). Throws Error(badRequest) for other ids, and for values that are negative
// or not finite.
ModelComparison compareToModel(const Prediction& prediction, const std::map<std::string, double>& measured);

} // namespace engine
