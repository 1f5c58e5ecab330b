// SPDX-License-Identifier: GPL-3.0-or-later
// The performance model's predictions for the machine of Chen et al. 2019 (iFDK), compared with every figure in the
// text of that paper. Numbers of sections, tables, figures and equations are those of the paper.
#include "engine/volume/published.h"
#include "tests/engine/volume/models.h"
#include "tests/fixtures.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace engine;
using models::gib;
using models::isClose;

namespace
{

RankGrid paperGrid(int size, int ranks)
{
    return rankGridFor(paperProblem(size), paperRates(), ranks);
}

Prediction ofPaper(int size, int ranks)
{
    return predict(paperProblem(size), paperRates(), paperGrid(size, ranks));
}

// A published figure that the formulas do not reproduce within 15 %, with the ratio of the formulas' value to it
struct Deviation {
    const char* place;
    int size, gpus;
    const char* stage;
    double ratio;
};

// Reasons for these deviations. The rates must never be tuned to hide them:
// - AllGather: one rate, from the first line of Table 5, is used for all. In the measurements, an exchange takes longer
//   if a column has fewer exchanges (there were 4.1, 3.1, 2.1 and 2.2 per second), and exchanges of 256 ranks take
//   longer per byte than those of 32. With Eq 10 as printed, whose rate counts exchanges, 8192³ on 256 GPUs would take
//   3.9 s instead of 46.9.
// - Back-projection of 8192³: its slabs of 8 GB are 32 slices of 8192², those of 4096³ are 128 slices of 4096². Table
//   4 has no rate for slabs of either shape. At 198.7 GUPS the kernel takes 41.2 s, and copies to the GPUs take 10.8 s;
//   83.0 s were measured for both together, which would correspond to a kernel of 113 GUPS.
// - Compute: section 5.3.3 lists what its peak leaves out: hand-over between threads, batches of 32 projections,
//   memory.
// - Device to host: the paper's 2.6 s are 32 GB over one connector of 11.9 GB/s; Eq 14 and its text specify two
//   connectors, 1.3 s. With one connector for the other direction, too, back-projection would take 64.3 s, and 54.8
//   were measured.
// - Store of 8192³: 2 TB at 28.5 GB/s are 71.9 s. The paper's projected 87.7 s correspond to 2.5 TB, and exceed the
//   79 s that it measured.
// - Figure 7: the sum of Eq 19 is 18.5 s. This is the potential peak, with which the 1,134 GUPS from end to end must be
//   compared. "76% of the potential peak on average" (5.3.3) can't be computed: the totals are only in the image of
//   Figure 5.
const Deviation deviations[] = {
    {"Table 5", 4096, 32, "compute", 0.740},          {"Table 5", 4096, 64, "allGather", 0.758},
    {"Table 5", 4096, 64, "compute", 0.730},          {"Table 5", 4096, 128, "allGather", 0.516},
    {"Table 5", 4096, 128, "compute", 0.688},         {"Table 5", 4096, 256, "allGather", 0.530},
    {"Table 5", 4096, 256, "compute", 0.637},         {"5.3.3", 4096, 256, "deviceToHost", 0.517},
    {"Table 5", 8192, 256, "allGather", 0.670},       {"Table 5", 8192, 256, "backProjection", 0.626},
    {"Table 5", 8192, 256, "compute", 0.513},         {"Table 5", 8192, 512, "allGather", 0.584},
    {"Table 5", 8192, 512, "backProjection", 0.626},  {"Table 5", 8192, 512, "compute", 0.489},
    {"Table 5", 8192, 1024, "allGather", 0.462},      {"Table 5", 8192, 1024, "backProjection", 0.625},
    {"Table 5", 8192, 1024, "compute", 0.438},        {"Table 5", 8192, 2048, "allGather", 0.456},
    {"Table 5", 8192, 2048, "backProjection", 0.625}, {"Table 5", 8192, 2048, "compute", 0.378},
    {"5.3.3", 8192, 2048, "deviceToHost", 0.517},     {"5.3.3", 8192, 2048, "store", 0.819},
    {"Figure 7", 2048, 16, "total", 0.639},
};

const Deviation* deviationOf(const PublishedFigure& figure)
{
    const auto* found = std::ranges::find_if(deviations, [&](const Deviation& row) {
        return figure.place == std::string(row.place) && figure.size == row.size && figure.gpus == row.gpus &&
               figure.stage == std::string(row.stage);
    });
    return found == std::end(deviations) ? nullptr : found;
}

std::map<std::string, double> table5(int size, int gpus)
{
    std::map<std::string, double> measured;
    for (const PublishedFigure& figure : publishedFigures())
        if (figure.place == std::string("Table 5") && figure.size == size && figure.gpus == gpus)
            measured[figure.stage] = figure.seconds;
    return measured;
}

} // namespace

class PublishedTest : public QObject
{
    Q_OBJECT

  private slots:
    // Sections 4.1.5 and 5.3, Figures 4c and 7.
    void gridsOfThePaper()
    {
        for (const int ranks : {32, 64, 128, 256, 2048})
            QVERIFY(paperGrid(4096, ranks) == (RankGrid{32, ranks / 32}));
        for (const int ranks : {256, 512, 1024, 2048})
            QVERIFY(paperGrid(8192, ranks) == (RankGrid{256, ranks / 256}));
        QVERIFY(paperGrid(2048, 16) == (RankGrid{4, 4}));
        // Figure 4c: each rank filters 32 projections and gathers 1,024.
        const Prediction seconds = ofPaper(4096, 128);
        const double projection = 2048.0 * 2048;
        QVERIFY(isClose(seconds.filter * *paperRates().filter / 4 / projection, 32));
        QVERIFY(isClose(seconds.allGather * *paperRates().allGather / 4 / projection, 1024));
        // Section 5.3.2, weak scaling: with 4 projections per rank and R = 256, a rank gathers the 1,024 of its
        // column, as the paper says. With 16 per rank and R = 32 it would be 512; the paper says 128.
        Problem weak = paperProblem(8192);
        weak.projections = 4 * 2048;
        const Prediction eight = predict(weak, paperRates(), {256, 8});
        QVERIFY(isClose(eight.allGather * *paperRates().allGather / 4 / projection, 1024));
        weak = paperProblem(4096);
        weak.projections = 16 * 2048;
        const Prediction four = predict(weak, paperRates(), {32, 64});
        QVERIFY(isClose(four.allGather * *paperRates().allGather / 4 / projection, 512));
    }

    void moreRanksAreNeverSlower()
    {
        for (const int size : {4096, 8192}) {
            std::vector<RankGrid> grids;
            for (int ranks = 1; ranks <= 2048; ranks *= 2)
                grids.push_back(paperGrid(size, ranks));
            const auto rows = modelRanks(paperProblem(size), paperRates(), grids);
            QCOMPARE(rows.back().ranks, 2048);
            QCOMPARE(rows.front().efficiency, 1.0);
            for (std::size_t k = 1; k < rows.size(); ++k) {
                QVERIFY(rows[k].prediction.total() < rows[k - 1].prediction.total());
                QVERIFY(rows[k].efficiency < rows[k - 1].efficiency);
                QVERIFY(isClose(rows[k].efficiency,
                                rows[0].prediction.total() / (rows[k].prediction.total() * double(rows[k].ranks))));
            }
        }
    }

    void everyPublishedFigure_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t k = 0; k < publishedFigures().size(); ++k) {
            const PublishedFigure& figure = publishedFigures()[k];
            QTest::addRow("%s, %d^3 on %d: %s %.4g", figure.place, figure.size, figure.gpus, figure.stage,
                          figure.seconds)
                << int(k);
        }
    }

    void everyPublishedFigure()
    {
        QFETCH(const int, index);
        const PublishedFigure& figure = publishedFigures()[std::size_t(index)];
        const double seconds = modelStage(figure.stage).seconds(ofPaper(figure.size, figure.gpus));
        const double ratio = seconds / figure.seconds;
        const Deviation* deviation = deviationOf(figure);
        const QByteArray text = QByteArray::number(seconds) + " s, " + QByteArray::number(ratio) + " of what it says";
        if (figure.kind == PublishedFigure::Kind::atMost)
            QVERIFY2(ratio > 0 && ratio <= 1 && !deviation, text.constData());
        else if (deviation)
            QVERIFY2(std::abs(ratio - deviation->ratio) < 0.001 && std::abs(ratio - 1) > 0.15, text.constData());
        else
            QVERIFY2(std::abs(ratio - 1) < 0.15, text.constData());
    }

    void whatElseThePaperSays()
    {
        for (const Deviation& row : deviations) // every deviation belongs to a published figure
            QVERIFY(std::ranges::any_of(publishedFigures(),
                                        [&](const PublishedFigure& figure) { return deviationOf(figure) == &row; }));
        // T_bp by hand: 8,192 giga-updates at 198.7 GUPS, 256 GB for four GPUs over two connectors of 11.9 GB/s.
        QVERIFY(isClose(ofPaper(4096, 32).kernel, 8192 / 198.7));
        QVERIFY(isClose(ofPaper(4096, 32).hostToDevice, 4 * 64 / (11.9 * 2)));
        QVERIFY(isClose(ofPaper(4096, 64).store, 256 / 28.5));
        // The conclusion of section 5.3.5: AllGather takes less time than back-projection.
        for (const int gpus : {32, 64, 128, 256})
            QVERIFY(ofPaper(4096, gpus).allGather < ofPaper(4096, gpus).backProjection());
        // Section 6.2.2, sixteen V100 of 32 GB in one box: 4096³ "within a minute". With the kernel rate of Table 4,
        // the kernel alone takes 82 s: not reproduced.
        Rates box = paperRates();
        box.gpusPerNode = 16, box.connectorsPerNode = 16, box.gpuMemoryBytes = 32 * gib;
        const Prediction seconds = predict(paperProblem(4096), box, rankGridFor(paperProblem(4096), box, 16));
        QVERIFY(seconds.grid == (RankGrid{16, 1}) && seconds.passes == 1);
        QVERIFY(isClose(seconds.kernel, 16384 / 198.7));
    }

    // δ of Table 5, computed from the times in this table; "< 0.7" is interpreted as 0.7. In the last line, the paper
    // prints 1.2, but its times give 1.1.
    void overlapOfThePaper()
    {
        const struct {
            int size, gpus;
            double delta;
        } lines[] = {{4096, 32, 1.2},  {4096, 64, 1.4},  {4096, 128, 1.6},  {4096, 256, 1.5},
                     {8192, 256, 1.3}, {8192, 512, 1.3}, {8192, 1024, 1.3}, {8192, 2048, 1.1}};
        for (const auto& line : lines) {
            const auto comparison = compareToModel(ofPaper(line.size, line.gpus), table5(line.size, line.gpus));
            QVERIFY(comparison.overlap.has_value());
            QCOMPARE(std::round(*comparison.overlap * 10) / 10, line.delta);
        }
    }
};

SINOSCOPE_TEST(PublishedTest, QCoreApplication)
#include "published_test.moc"
