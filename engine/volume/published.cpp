// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/published.h"

namespace engine
{

namespace
{

constexpr double paperGiga = 1 << 30;
constexpr double paperSlabBytes = 8 * paperGiga;          // N_sub_vol, 4.1.5
constexpr double paperSamples = 2048.0 * 2048.0 * 4096;   // of all projections
constexpr double nodesOfFirstLine = 32 / 4.0;             // Table 5: 32 GPUs, 4 per node
constexpr double secondsOfFigure7 = (1LL << 15) / 1134.0; // 2048³ × 4096 updates, at 1,134 × 2³⁰ per second

bool haveSameCounts(const Problem& a, const Problem& b)
{
    return a.bins == b.bins && a.rows == b.rows && a.projections == b.projections && a.sizeX == b.sizeX &&
           a.sizeY == b.sizeY && a.sizeZ == b.sizeZ;
}

} // namespace

Rates paperRates()
{
    Rates rates;
    rates.name = "iFDK (SC19) on ABCI: four Tesla V100 per node";
    rates.loading = Loading::gathered;
    rates.gpusPerNode = 4;
    rates.connectorsPerNode = 2;
    rates.gpuMemoryBytes = 16 * paperGiga;
    rates.filter = paperSamples / (1.4 * nodesOfFirstLine);
    rates.allGather = paperSamples * 4 / 31.4;
    rates.hostToDevice = rates.deviceToHost = 11.9 * paperGiga;
    rates.kernel = 198.7 * paperGiga;
    rates.transpose = paperSlabBytes / 0.29;
    rates.reduce = paperSlabBytes / 2.7;
    rates.store = 28.5 * paperGiga;
    return rates;
}

Problem paperProblem(int size)
{
    Problem problem;
    problem.bins = problem.rows = 2048;
    problem.projections = 4096;
    problem.sizeX = problem.sizeY = problem.sizeZ = size;
    return problem;
}

const char* toText(PublishedFigure::Kind kind)
{
    switch (kind) {
    case PublishedFigure::Kind::measured:
        return "measured";
    case PublishedFigure::Kind::atMost:
        return "measured, less than";
    case PublishedFigure::Kind::projected:
        break;
    }
    return "projected";
}

const std::vector<PublishedFigure>& publishedFigures()
{
    constexpr auto measured = PublishedFigure::Kind::measured;
    constexpr auto atMost = PublishedFigure::Kind::atMost;
    constexpr auto projected = PublishedFigure::Kind::projected;
    static const std::vector<PublishedFigure> figures = {
        {"Table 5", 4096, 32, "filter", 1.4, measured}, // the filter times of this table include loading
        {"Table 5", 4096, 32, "allGather", 31.4, measured},
        {"Table 5", 4096, 32, "backProjection", 54.8, measured},
        {"Table 5", 4096, 32, "compute", 70.2, measured},
        {"Table 5", 4096, 64, "filter", 0.8, measured},
        {"Table 5", 4096, 64, "allGather", 20.7, measured},
        {"Table 5", 4096, 64, "backProjection", 27.5, measured},
        {"Table 5", 4096, 64, "compute", 35.6, measured},
        {"Table 5", 4096, 128, "filter", 0.7, atMost},
        {"Table 5", 4096, 128, "allGather", 15.2, measured},
        {"Table 5", 4096, 128, "backProjection", 14.0, measured},
        {"Table 5", 4096, 128, "compute", 18.9, measured},
        {"Table 5", 4096, 256, "filter", 0.7, atMost},
        {"Table 5", 4096, 256, "allGather", 7.4, measured},
        {"Table 5", 4096, 256, "backProjection", 7.0, measured},
        {"Table 5", 4096, 256, "compute", 10.2, measured},
        {"5.3.3", 4096, 256, "transpose", 0.29, measured},
        {"5.3.3", 4096, 256, "deviceToHost", 2.6, projected},
        {"5.3.3", 4096, 256, "reduce", 2.7, projected},
        {"5.3.3", 4096, 256, "store", 9.0, projected},
        {"Abstract", 4096, 2048, "total", 30, atMost},
        {"Table 5", 8192, 256, "filter", 0.7, atMost},
        {"Table 5", 8192, 256, "allGather", 46.9, measured},
        {"Table 5", 8192, 256, "backProjection", 83.0, measured},
        {"Table 5", 8192, 256, "compute", 101.3, measured},
        {"Table 5", 8192, 512, "filter", 0.7, atMost},
        {"Table 5", 8192, 512, "allGather", 26.9, measured},
        {"Table 5", 8192, 512, "backProjection", 41.5, measured},
        {"Table 5", 8192, 512, "compute", 53.1, measured},
        {"Table 5", 8192, 1024, "filter", 0.7, atMost},
        {"Table 5", 8192, 1024, "allGather", 17.0, measured},
        {"Table 5", 8192, 1024, "backProjection", 20.8, measured},
        {"Table 5", 8192, 1024, "compute", 29.7, measured},
        {"Table 5", 8192, 2048, "filter", 0.7, atMost},
        {"Table 5", 8192, 2048, "allGather", 8.6, measured},
        {"Table 5", 8192, 2048, "backProjection", 10.4, measured},
        {"Table 5", 8192, 2048, "compute", 17.2, measured},
        {"5.3.3", 8192, 2048, "transpose", 0.29, measured},
        {"5.3.3", 8192, 2048, "deviceToHost", 2.6, projected},
        {"5.3.3", 8192, 2048, "reduce", 2.7, projected},
        {"5.3.3", 8192, 2048, "store", 87.7, projected},
        {"5.3.4", 8192, 2048, "store", 79, measured},
        {"5.3.4", 8192, 2048, "total", 120, atMost},
        {"Figure 7", 2048, 16, "total", secondsOfFigure7, measured},
    };
    return figures;
}

std::vector<PublishedBeside> publishedBeside(const Problem& problem, const std::vector<ModelledRanks>& rows)
{
    std::vector<PublishedBeside> beside;
    for (const ModelledRanks& row : rows)
        for (const PublishedFigure& figure : publishedFigures()) {
            if (figure.gpus != row.ranks || !haveSameCounts(forRanks(problem, row.ranks), paperProblem(figure.size)))
                continue;
            const double predicted = modelStage(figure.stage).seconds(row.prediction);
            beside.push_back({&figure, predicted, predicted / figure.seconds});
        }
    return beside;
}

} // namespace engine
