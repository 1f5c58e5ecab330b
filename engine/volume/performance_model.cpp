// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/performance_model.h"

#include "engine/base/error.h"
#include "engine/base/giga_updates.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine
{

namespace
{

constexpr double floatBytes = 4;
constexpr double mostRanks = 1e9;
constexpr int projectionsABatch = 32; // N_batch of Chen et al. 2019, Listing 1

int shareOf(int all, int parts)
{
    return (all + parts - 1) / parts; // the largest share
}

double secondsAt(double amount, const std::optional<double>& rate)
{
    return rate ? amount / *rate : 0;
}

// Returns the rows of filtered projections that a slab needs.
double rowsOfSlab(const Problem& problem, Loading loading, int slab, int slabs)
{
    return loading == Loading::gathered ? problem.rows : bandRows(problem, slab, slabs);
}

double mostRowsOfASlab(const Problem& problem, Loading loading, int slabs)
{
    double most = 0;
    for (int slab = 0; slab < slabs; ++slab)
        most = std::max(most, rowsOfSlab(problem, loading, slab, slabs));
    return most;
}

double slabVoxels(const Problem& problem, int slabs)
{
    return double(problem.sizeX) * problem.sizeY * shareOf(problem.sizeZ, slabs);
}

// Memory of a GPU for one slab, as in the limit after Eq 7.
double slabBytes(const Problem& problem, Loading loading, int slabs)
{
    return floatBytes *
           (slabVoxels(problem, slabs) + problem.bins * mostRowsOfASlab(problem, loading, slabs) * projectionsABatch);
}

bool fits(const Problem& problem, const Rates& rates, int slabs)
{
    return slabBytes(problem, rates.loading, slabs) <= rates.gpuMemoryBytes;
}

int mostRows(const Problem& problem, const Rates& rates)
{
    return shareOf(problem.sizeZ, rates.slicesPerPass);
}

int passesFor(const Problem& problem, const Rates& rates, int rows)
{
    require(rows <= problem.sizeZ, std::to_string(rows) + " rows of ranks are more than the volume's " +
                                       std::to_string(problem.sizeZ) + (problem.sizeZ == 1 ? " slice" : " slices") +
                                       "; take fewer rows or ranks");
    require(fits(problem, rates, problem.sizeZ),
            "one slice and " + std::to_string(projectionsABatch) + " projections take " +
                sizeText(slabBytes(problem, rates.loading, problem.sizeZ)) + ", but a GPU has " +
                sizeText(rates.gpuMemoryBytes) + "; take a smaller volume or detector");
    int least = 1, enough = std::max(1, shareOf(problem.sizeZ, rows));
    while (least < enough) {
        const int passes = least + (enough - least) / 2;
        if (fits(problem, rates, rows * passes))
            enough = passes;
        else
            least = passes + 1;
    }
    return least;
}

} // namespace

Problem forRanks(const Problem& problem, int ranks)
{
    Problem one = problem;
    if (problem.projectionsPerRank > 0) {
        require(problem.projectionsPerRank <= std::numeric_limits<int>::max() / ranks,
                std::to_string(problem.projectionsPerRank) + " projections on each of " + std::to_string(ranks) +
                    " ranks are too many");
        one.projections = problem.projectionsPerRank * ranks;
    }
    return one;
}

double voxelsOf(const Problem& problem)
{
    return double(problem.sizeX) * problem.sizeY * problem.sizeZ;
}

double gigaUpdatesPerSecond(const Problem& problem, double seconds)
{
    return gigaUpdatesPerSecond(voxelsOf(problem), problem.projections, seconds);
}

const std::vector<LoadingRow>& loadingRows()
{
    static const std::vector<LoadingRow> rows = {
        {Loading::gathered, "gathered", "each rank loads and filters a share of whole projections, then exchanges it"},
        {Loading::bands, "bands", "each rank loads the detector rows that its slab needs"},
        {Loading::exchanged, "exchanged", "each rank loads a share of whole projections and exchanges it as recorded"},
    };
    return rows;
}

const LoadingRow& loadingRow(Loading loading)
{
    return *std::ranges::find(loadingRows(), loading, &LoadingRow::loading);
}

std::string toText(Loading loading)
{
    return loadingRow(loading).id;
}

Loading loadingFromText(const std::string& text)
{
    std::string ids;
    for (const LoadingRow& row : loadingRows()) {
        if (text == row.id)
            return row.loading;
        ids += (ids.empty() ? "" : ", ") + std::string(row.id);
    }
    throw Error(ErrorKind::badRequest, "unknown loading '" + text + "'; choose one of " + ids);
}

const std::vector<RateRow>& rateRows()
{
    static const std::vector<RateRow> rows = {
        {"loadBytesPerSecond", "load", "B", "load", &Rates::load},
        {"filterSamplesPerSecond", "filter, per node", "samples", "filter", &Rates::filter},
        {"allGatherBytesPerSecond", "AllGather, per rank", "B", "allGather", &Rates::allGather},
        {"hostToDeviceBytesPerSecond", "host to device, per connector", "B", "hostToDevice", &Rates::hostToDevice},
        {"deviceToHostBytesPerSecond", "device to host, per connector", "B", "deviceToHost", &Rates::deviceToHost},
        {"kernelUpdatesPerSecond", "kernel", "U", "kernel", &Rates::kernel},
        {"transposeBytesPerSecond", "transposition", "B", "transpose", &Rates::transpose},
        {"reduceBytesPerSecond", "Reduce, a slab", "B", "reduce", &Rates::reduce},
        {"storeBytesPerSecond", "store", "B", "store", &Rates::store},
    };
    return rows;
}

RankGrid fastestOf(const std::vector<RankGrid>& grids, const Problem& problem, const Rates& rates,
                   const std::function<int(const RankGrid&)>& passesOf)
{
    std::vector<Prediction> predictions;
    for (const RankGrid& grid : grids)
        predictions.push_back(predict(problem, rates, grid, passesOf ? std::optional(passesOf(grid)) : std::nullopt));
    return std::ranges::min_element(predictions, {}, &Prediction::total)->grid;
}

RankGrid rankGridFor(const Problem& problem, const Rates& rates, int ranks, const std::optional<int>& given)
{
    const std::string count = std::to_string(ranks) + " ranks";
    require(ranks >= 1, "the number of ranks is " + std::to_string(ranks) + ", but must be at least 1");
    require(!given || (*given >= 1 && ranks % *given == 0),
            count + " can't be divided into " + std::to_string(given.value_or(0)) + " rows");
    if (given)
        return {*given, ranks / *given}; // Eq 4
    const std::vector<RankGrid> grids = gridsOf(ranks, mostRows(problem, rates), problem.projections);
    if (rates.loading != Loading::gathered)
        return fastestOf(grids, problem, rates);
    const auto holds = std::find_if(grids.rbegin(), grids.rend(), // fewest rows first
                                    [&](const RankGrid& grid) { return fits(problem, rates, grid.rows); });
    return holds == grids.rend() ? grids.front() : *holds;
}

double bandRows(const Problem& problem, int slab, int slabs)
{
    // Heights are in units of half the detector's height, from its middle. A voxel at height z whose distance from
    // the source is (1 ∓ ratio) times that of the axis is projected to height z/(1 ∓ ratio). Paired slabs are
    // numbered from both ends of the volume towards its middle.
    const double from = problem.inPairs ? double(slab) / slabs - 1 : -1 + 2.0 * slab / slabs;
    const double to = problem.inPairs ? -from : -1 + 2.0 * (slab + 1) / slabs;
    const double nearest = 1 - problem.coneRatio, farthest = 1 + problem.coneRatio;
    const double beside = problem.coneRatio > 0 ? 2 * 2.0 / problem.rows : 0; // two rows, to interpolate
    const double lowest = std::max(-1.0, std::min(from / nearest, from / farthest) - beside);
    const double highest = std::min(1.0, std::max(to / nearest, to / farthest) + beside);
    return problem.rows * (highest - lowest) / 2;
}

Prediction predict(const Problem& problem, const Rates& rates, const RankGrid& grid, const std::optional<int>& given)
{
    require(grid.rows >= 1 && grid.columns >= 1 && double(grid.rows) * grid.columns <= mostRanks,
            toText(grid) + " is not a grid of rows and columns of ranks");
    require(grid.columns <= problem.projections, toText(grid) + " ranks were requested, but there are only " +
                                                     std::to_string(problem.projections) + " projections");
    const int passes = given.value_or(0) >= 1 ? *given : passesFor(problem, rates, grid.rows);
    const int ranks = grid.rows * grid.columns, slabs = grid.rows * passes;
    const bool gathers = rates.loading == Loading::gathered;
    const int ranksOfNode = std::min(rates.gpusPerNode, ranks);
    const double ranksAConnector = std::max(1.0, double(ranksOfNode) / rates.connectorsPerNode);
    const double columnProjections = shareOf(problem.projections, grid.columns);
    // Samples per pass: those that a rank filters, and those that back-projection needs.
    const double taken = columnProjections * problem.bins * mostRowsOfASlab(problem, rates.loading, slabs);
    const double filtered = gathers ? double(shareOf(problem.projections, ranks)) * problem.bins * problem.rows // Eq 5
                                    : taken;
    const bool exchanges = rates.loading == Loading::exchanged && grid.rows > 1; // one row has nothing to exchange
    // Of each projection, in total.
    double rowsLoaded = gathers ? double(problem.rows) * passes : exchanges ? problem.rows : 0;
    for (int slab = 0; !gathers && !exchanges && slab < slabs; ++slab)
        rowsLoaded += bandRows(problem, slab, slabs);
    const double slabBytes = floatBytes * passes * slabVoxels(problem, slabs); // of a rank

    Prediction seconds;
    seconds.grid = grid;
    seconds.passes = passes;
    seconds.loadsFirst = exchanges;
    seconds.load = // Eq 8
        secondsAt(problem.bytesPerSample * problem.bins * rowsLoaded * problem.projections, rates.load);
    seconds.filter = secondsAt(passes * filtered * ranksOfNode, rates.filter); // Eq 9
    if (gathers && grid.rows > 1)                                              // Eq 10, by bytes
        seconds.allGather = secondsAt(passes * floatBytes * taken, rates.allGather);
    if (exchanges)
        seconds.allGather =
            secondsAt(problem.bytesPerSample * problem.bins * problem.rows * columnProjections, rates.allGather);
    seconds.hostToDevice = // Eq 11
        secondsAt(passes * floatBytes * taken * ranksAConnector, rates.hostToDevice);
    seconds.kernel = // second term of Eq 12
        secondsAt(passes * slabVoxels(problem, slabs) * columnProjections, rates.kernel);
    seconds.transpose = secondsAt(slabBytes, rates.transpose);                         // Eq 13
    seconds.deviceToHost = secondsAt(slabBytes * ranksAConnector, rates.deviceToHost); // Eq 14
    if (grid.columns > 1)                                                              // section 5.3
        seconds.reduce = secondsAt(slabBytes, rates.reduce);                           // Eq 15
    seconds.store = secondsAt(problem.bytesPerVoxel * voxelsOf(problem), rates.store); // Eq 16
    return seconds;
}

double Prediction::backProjection() const
{
    return hostToDevice + kernel;
}

double Prediction::loading() const
{
    return loadsFirst ? std::max(load, allGather) : 0;
}

double Prediction::compute() const
{
    const double other = std::max(filter, backProjection());
    return loadsFirst ? other : std::max({other, load, allGather});
}

double Prediction::post() const
{
    return transpose + deviceToHost + reduce + store;
}

double Prediction::total() const
{
    return loading() + (compute() + post() + (passes - 1) * std::max(compute(), post())) / passes;
}

const std::vector<ModelStage>& modelStages()
{
    static const std::vector<ModelStage> stages = {
        {"load", "load", true, [](const Prediction& p) { return p.load; }},
        {"filter", "filter", true, [](const Prediction& p) { return p.filter; }},
        {"allGather", "AllGather", true, [](const Prediction& p) { return p.allGather; }},
        {"hostToDevice", "to device", true, [](const Prediction& p) { return p.hostToDevice; }},
        {"kernel", "kernel", true, [](const Prediction& p) { return p.kernel; }},
        {"backProjection", "back-projection", false, [](const Prediction& p) { return p.backProjection(); }},
        {"compute", "compute", true, [](const Prediction& p) { return p.compute(); }},
        {"transpose", "transposition", true, [](const Prediction& p) { return p.transpose; }},
        {"deviceToHost", "from device", true, [](const Prediction& p) { return p.deviceToHost; }},
        {"reduce", "Reduce", true, [](const Prediction& p) { return p.reduce; }},
        {"store", "store", true, [](const Prediction& p) { return p.store; }},
        {"post", "after compute", false, [](const Prediction& p) { return p.post(); }},
        {"total", "total", true, [](const Prediction& p) { return p.total(); }},
    };
    return stages;
}

const ModelStage& modelStage(const std::string& id)
{
    const auto& stages = modelStages();
    const auto found = std::ranges::find(stages, id, &ModelStage::id);
    if (found != stages.end())
        return *found;
    std::string ids;
    for (const ModelStage& stage : stages)
        ids += (ids.empty() ? "" : ", ") + std::string(stage.id);
    throw Error(ErrorKind::badRequest, "the model has no stage '" + id + "'; its stages are " + ids);
}

std::vector<ModelledRanks> modelRanks(const Problem& problem, const Rates& rates, const std::vector<RankGrid>& grids)
{
    std::vector<ModelledRanks> rows;
    for (const RankGrid& grid : grids) {
        ModelledRanks row;
        row.ranks = grid.rows * grid.columns;
        const Problem one = forRanks(problem, row.ranks);
        row.projections = one.projections;
        row.prediction = predict(one, rates, grid);
        row.gups = gigaUpdatesPerSecond(one, row.prediction.total());
        rows.push_back(row);
        if (row.gups > 0)
            rows.back().efficiency = row.gups / row.ranks * rows.front().ranks / rows.front().gups;
    }
    return rows;
}

ModelComparison compareToModel(const Prediction& prediction, const std::map<std::string, double>& measured)
{
    for (const auto& [id, seconds] : measured)
        require(std::isfinite(seconds) && seconds >= 0,
                std::string(modelStage(id).label) + " can't have taken " + numberToText(seconds) + " s");
    const auto timeOf = [&measured](const std::string& id) {
        const auto found = measured.find(id);
        return found == measured.end() ? std::optional<double>() : found->second;
    };
    ModelComparison comparison;
    const double all = timeOf("total").value_or(0);
    for (const ModelStage& stage : modelStages())
        if (const auto seconds = timeOf(stage.id)) {
            ComparedStage row{&stage, stage.seconds(prediction), *seconds, {}, {}};
            if (*seconds > 0)
                row.ratio = row.predicted / *seconds;
            if (all > 0)
                row.share = *seconds / all;
            comparison.stages.push_back(row);
        }
    if (timeOf("compute").value_or(0) > 0 && timeOf("filter") && timeOf("backProjection"))
        comparison.overlap =
            (*timeOf("filter") + timeOf("allGather").value_or(0) + *timeOf("backProjection")) / *timeOf("compute");
    return comparison;
}

} // namespace engine
