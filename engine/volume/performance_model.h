// SPDX-License-Identifier: GPL-3.0-or-later
// What a back-projection takes on many ranks, stage by stage, from the rates of their machine: sums alone, without
// ranks or devices. After Chen et al. 2019 (iFDK), sections 4.1 and 4.2, whose equations are named.
#pragma once

#include "engine/volume/rank_grid.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Projections of bins × rows to a volume of x × y × z, as high as the detector at the rotation axis.
struct Problem {
    int bins = 2048, rows = 2048, projections = 4096;
    int sizeX = 4096, sizeY = 4096, sizeZ = 4096;
    double bytesPerSample = 4; // as they are loaded; filtered, they are floats
    double bytesPerVoxel = 4;  // as they are stored; sums are floats
    // Of a cone beam: half the diagonal of a slice over the distance from source to axis, below 1; by it a slab's band
    // of detector rows is wider than its share of them. 0: a parallel beam.
    double coneRatio = 0;
    bool inPairs = false; // slabs are of slices that mirror each other, and take the rows between them, too
};

double voxelsOf(const Problem& problem);
double gigaUpdatesPerSecond(const Problem& problem, double seconds);

// How projections come to the ranks, which are a grid of rows (a slab of the volume each) and columns (a share of the
// projections each).
enum class Loading {
    gathered, // a rank loads and filters its N_p/(C·R) whole projections; a column's ranks share theirs (Chen et al.
              // 2019, Eq 5)
    bands,    // a rank loads and filters, of its column's N_p/C projections, the detector rows that its slab needs
};
std::string toText(Loading loading);
Loading loadingFromText(const std::string& text); // throws Error(badRequest)

// What a machine does a second; nothing: it takes no time.
struct Rates {
    std::string name;
    Loading loading = Loading::bands;
    int gpusPerNode = 1;       // a rank each
    int connectorsPerNode = 1; // to the host, shared by the node's GPUs
    int slicesPerPass = 1;     // of the kernel; a rank makes no fewer
    double gpuMemoryBytes = 0;
    std::optional<double> load;         // bytes from storage, all ranks together
    std::optional<double> filter;       // samples of a node: projections × bins × rows
    std::optional<double> allGather;    // bytes of filtered projections that each rank gets: Eq 10 counts exchanges of
                                        // R projections, which take the longer the larger R is
    std::optional<double> hostToDevice; // bytes of one connector
    std::optional<double> deviceToHost; // likewise
    std::optional<double> kernel;       // updates of one GPU
    std::optional<double> transpose;    // bytes of a slab, on its GPU
    std::optional<double> reduce;       // bytes of a slab, whatever the number of columns
    std::optional<double> store;        // bytes to storage, all ranks together
};

// The rates that a machine may lack, as files and tables call them.
struct RateRow {
    const char* key;   // "loadBytesPerSecond"
    const char* label; // "load"
    const char* unit;  // "B": bytes; others in giga
    const char* stage; // whose seconds follow from it, of modelStages()
    std::optional<double> Rates::*rate;
};
const std::vector<RateRow>& rateRows();

// Where projections are gathered, as few rows as a GPU's memory allows, since all of a column's ranks take all of its
// projections (4.1.5, Eqs 4 and 7); where bands are read, what is fastest, as rankGridFor of a request. rows: so many
// instead. Throws Error(badRequest): the ranks can't be divided so, or no slab fits.
RankGrid rankGridFor(const Problem& problem, const Rates& rates, int ranks, const std::optional<int>& rows = {});

// Detector rows that slab k of so many equal ones needs; of a cone beam to a row or two (rowsFor in scan/geometry.h).
double bandRows(const Problem& problem, int slab, int slabs);

// Seconds of the slowest rank, which makes its slab in several passes, one after the other, where a GPU can't hold it
// at once beside 32 projections (the limit after Eq 7).
struct Prediction {
    RankGrid grid;
    int passes = 1;
    double load = 0, filter = 0, allGather = 0, hostToDevice = 0, kernel = 0;
    double transpose = 0, deviceToHost = 0, reduce = 0, store = 0;

    double backProjection() const; // T_bp, Eq 12
    double compute() const;        // what overlaps, Eq 17
    double post() const;           // what comes after it, Eq 18
    double total() const;          // T_runtime, Eq 19; what comes after a pass overlaps with the next one
};

// passes: as many, where that is known. Throws Error(badRequest) where no slab fits.
Prediction predict(const Problem& problem, const Rates& rates, const RankGrid& grid,
                   const std::optional<int>& passes = {});

// The first of those that take least. passesOf: of each, where that is known.
RankGrid fastestOf(const std::vector<RankGrid>& grids, const Problem& problem, const Rates& rates,
                   const std::function<int(const RankGrid&)>& passesOf = {});

// What a prediction says, in the order that it happens.
struct ModelStage {
    const char* id;    // "allGather"
    const char* label; // "AllGather"
    bool inTable;      // others are sums of what stands beside them
    double (*seconds)(const Prediction&);
};
const std::vector<ModelStage>& modelStages();
const ModelStage& modelStage(const std::string& id); // throws Error(badRequest)

// What so many ranks would do.
struct ModelledRanks {
    int ranks = 1; // of prediction.grid
    Prediction prediction;
    double gups = 0;
    double efficiency = 1; // speed a rank, of that with the first number of ranks
};
std::vector<ModelledRanks> modelRanks(const Problem& problem, const Rates& rates, const std::vector<RankGrid>& grids);

// A stage of the model beside what a run took for it.
struct ComparedStage {
    const ModelStage* stage = nullptr;
    double predicted = 0, measured = 0; // seconds
    std::optional<double> ratio;        // predicted over measured, where that took time
    std::optional<double> share;        // of the run's time, where "total" was measured
};

struct ModelComparison {
    std::vector<ComparedStage> stages; // those that were measured, in the order of modelStages()
    // δ of Chen et al. 2019, Table 5: filter, AllGather and back-projection over compute, where all three or the two
    // that there are, and compute, were measured.
    std::optional<double> overlap;
};

// measured: seconds by the ids of modelStages(). Throws Error(badRequest) for others, and for what is no time.
ModelComparison compareToModel(const Prediction& prediction, const std::map<std::string, double>& measured);

} // namespace engine
