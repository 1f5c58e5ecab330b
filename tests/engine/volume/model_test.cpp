// SPDX-License-Identifier: GPL-3.0-or-later
// The performance model: its sums follow the equations of Chen et al. 2019 (iFDK), and its detector rows are those
// that the engine reads.
#include "engine/scan/cone_beam.h"
#include "engine/scan/geometry.h"
#include "engine/volume/performance_model.h"
#include "engine/volume/performance_model_json.h"
#include "engine/volume/published.h"
#include "tests/engine/volume/models.h"
#include "tests/fixtures.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace engine;
using fixtures::fails;
using models::gib;
using models::isClose;
using models::smallProblem;
using models::smallRates;

class ModelTest : public QObject
{
    Q_OBJECT

  private slots:
    // Equations 8 to 16 as printed; the paper's rates count projections, the rates here count bytes and updates.
    void equations()
    {
        const Problem p = smallProblem();
        const Rates rates = smallRates(Loading::gathered);
        const Prediction seconds = predict(p, rates, {2, 3});
        const double r = 2, c = 3, perNode = 3, connectors = 2, size = 4, voxels = 40 * 30 * 24;
        const double filterRate = 2e3 / (100 * 60), gatherRate = 3e3 / (size * 100 * 60 * r);
        const double kernelRate = 6e3 / (voxels / r);
        QVERIFY(isClose(seconds.load, 2 * 100 * 60 * 48 / 1e3));                                         // 8
        QVERIFY(isClose(seconds.filter, 48 * perNode / (c * r * filterRate)));                           // 9
        QVERIFY(isClose(seconds.allGather, 48 / (c * r * gatherRate)));                                  // 10
        QVERIFY(isClose(seconds.hostToDevice, size * perNode * 100 * 60 * 48 / (c * 4e3 * connectors))); // 11
        QVERIFY(isClose(seconds.backProjection(), seconds.hostToDevice + 48 / (c * kernelRate)));        // 12
        QVERIFY(isClose(seconds.transpose, size * voxels / (r * 7e3)));                                  // 13
        QVERIFY(isClose(seconds.deviceToHost, size * perNode * voxels / (r * 5e3 * connectors)));        // 14
        QVERIFY(isClose(seconds.reduce, size * voxels / (r * 8e3)));                                     // 15
        QVERIFY(isClose(seconds.store, voxels / 9e3));                                                   // 16
        const double compute = std::max({seconds.load, seconds.filter, seconds.allGather, seconds.backProjection()});
        QVERIFY(isClose(seconds.compute(), compute)); // 17
        const double post = seconds.transpose + seconds.deviceToHost + seconds.reduce + seconds.store;
        QVERIFY(isClose(seconds.post(), post));            // 18
        QVERIFY(isClose(seconds.total(), compute + post)); // 19
        QCOMPARE(predict(p, rates, {2, 1}).reduce, 0.0);   // nothing to add (section 5.3)
        QCOMPARE(predict(p, rates, {1, 3}).allGather, 0.0);
        QVERIFY(isClose(gigaUpdatesPerSecond(p, 2), voxels * 48 / 2 / 1e9));
    }

    // The program's own scheme: a rank reads the projections of its column, and of these only the band of its slab.
    void bandsInsteadOfAllGather()
    {
        const Problem p = smallProblem();
        const Prediction gathered = predict(p, smallRates(Loading::gathered), {2, 3});
        const Prediction bands = predict(p, smallRates(Loading::bands), {2, 3});
        QCOMPARE(bands.allGather, 0.0);
        QVERIFY(isClose(bands.load, gathered.load));     // a parallel beam: each row is read once
        QVERIFY(isClose(bands.filter, gathered.filter)); // 1/R of the rows, of R times the projections
        QVERIFY(isClose(bands.hostToDevice, gathered.hostToDevice / 2));
        QCOMPARE(bands.kernel, gathered.kernel);
        QCOMPARE(bands.post(), gathered.post());
        Problem cone = p;
        cone.coneRatio = 0.3;
        const Prediction wider = predict(cone, smallRates(Loading::bands), {2, 3});
        QVERIFY(wider.load > bands.load && wider.filter > bands.filter && wider.hostToDevice > bands.hostToDevice);
        QVERIFY(wider.load < 2 * gathered.load && wider.filter < 2 * gathered.filter);
    }

    // Compares with the rows that the engine reads for each slab of a real cone beam.
    void bandsAreThoseOfTheEngine_data()
    {
        QTest::addColumn<int>("slabs");
        for (const int slabs : {1, 2, 5, 16, 64})
            QTest::addRow("%d slabs", slabs) << slabs;
    }

    void bandsAreThoseOfTheEngine()
    {
        QFETCH(const int, slabs);
        constexpr int rows = 640, size = 512;
        ConeBeam beam;
        beam.bins = size, beam.rows = rows;
        beam.sourceAxisMm = 1000, beam.sourceDetectorMm = 1500;
        beam.pixelUMm = beam.pixelVMm = 0.9;
        beam.centralRow = beam.middleRow();
        beam.volume = {beam.pixelVMm / beam.magnification(), size, rows};
        for (int k = 0; k < 360; ++k)
            beam.anglesRad.push_back(k * std::numbers::pi / 180);
        Problem problem;
        problem.bins = size, problem.rows = rows, problem.projections = 360;
        problem.sizeX = problem.sizeY = size, problem.sizeZ = rows;
        problem.coneRatio = (size - 1) / 2.0 * std::numbers::sqrt2 * beam.volume.voxelMm / beam.sourceAxisMm;
        QVERIFY(problem.coneRatio > 0.2);
        for (int slab = 0; slab < slabs; ++slab) {
            const int count = rows / slabs;
            const RowRange read = rowsFor(beam, {{size, 0, 0, size, size, 1}, double(slab * count), 1, count});
            const double band = bandRows(problem, slabs - 1 - slab, slabs);
            QVERIFY2(std::abs(band - read.count) <= 2,
                     qPrintable(QString("%1: %2, %3").arg(slab).arg(band).arg(read.count)));
        }
    }

    void nothingTakesNoTime()
    {
        Rates none = smallRates(Loading::gathered);
        for (const RateRow& row : rateRows())
            none.*row.rate = std::nullopt;
        QCOMPARE(predict(smallProblem(), none, {2, 3}).total(), 0.0);
        for (const RateRow& row : rateRows()) { // each rate belongs to one stage
            Rates one = none;
            one.*row.rate = 1e3;
            const Prediction seconds = predict(smallProblem(), one, {2, 3});
            QVERIFY(seconds.total() > 0);
            QVERIFY2(modelStage(row.stage).seconds(seconds) > 0, row.key);
            int stages = 0;
            for (const ModelStage& stage : modelStages())
                stages += stage.seconds(seconds) > 0;
            QVERIFY2(stages >= 3 && stages <= 4, row.key); // the stage itself, total, and sums
        }
    }

    // A node with fewer ranks than GPUs: no rank shares processors and connectors.
    void fewRanksOfANode()
    {
        const Rates rates = smallRates(Loading::gathered);
        const Problem p = smallProblem();
        QVERIFY(isClose(predict(p, rates, {1, 1}).hostToDevice, 4.0 * 100 * 60 * 48 / 4e3));
        QVERIFY(isClose(predict(p, rates, {1, 1}).filter, 100.0 * 60 * 48 / 2e3));
        QVERIFY(isClose(predict(p, rates, {1, 2}).deviceToHost, 4.0 * 40 * 30 * 24 / 5e3));
        QVERIFY(isClose(predict(p, rates, {1, 3}).deviceToHost, 1.5 * 4.0 * 40 * 30 * 24 / 5e3));
        QVERIFY(isClose(predict(p, rates, {1, 2}).filter, 100.0 * 60 * 48 / 2e3)); // both on one node
        QVERIFY(isClose(predict(p, rates, {1, 6}).filter, 100.0 * 60 * 48 / 4e3)); // two nodes
    }

    // With gathered projections, the grid of ranks has as few rows as the GPUs' memory allows for slabs together with
    // 32 projections. If there are too few ranks for this, they reconstruct their slabs in several passes.
    void gridsThatGather()
    {
        const Problem p = paperProblem(4096);
        Rates rates = paperRates();
        const auto slabBytes = [](int slabs) {
            return 4.0 * (4096.0 * 4096 * ((4096 + slabs - 1) / slabs) + 2048.0 * 2048 * 32);
        };
        for (const int ranks : {1, 2, 3, 5, 8, 16}) {
            const RankGrid grid = rankGridFor(p, rates, ranks);
            QVERIFY(grid == (RankGrid{ranks, 1}));
            const int passes = predict(p, rates, grid).passes;
            QVERIFY(passes > 1 && slabBytes(ranks * passes) <= 16 * gib && slabBytes(ranks * (passes - 1)) > 16 * gib);
        }
        const auto gridOf = [&](int ranks, std::optional<int> rows = {}) {
            return toText(rankGridFor(p, rates, ranks, rows));
        };
        QCOMPARE(gridOf(48), std::string("24x2")); // need not be a power of two
        QCOMPARE(gridOf(37), std::string("37x1"));
        QCOMPARE(gridOf(128, 64), std::string("64x2"));
        QCOMPARE(predict(p, rates, {4, 32}).passes, 5);
        rates.gpuMemoryBytes = 1e15;
        QCOMPARE(gridOf(2048), std::string("1x2048"));
        QCOMPARE(gridOf(8192), std::string("2x4096")); // no more columns than projections
        constexpr auto bad = ErrorKind::badRequest;
        QVERIFY(fails(bad, {"number of ranks is 0"}, [&] { gridOf(0); }));
        QVERIFY(fails(bad, {"6 ranks", "4 rows"}, [&] { gridOf(6, 4); }));
        QVERIFY(fails(bad, {"0 rows"}, [&] { gridOf(6, 0); }));
        QVERIFY(fails(bad, {"8192 rows", "4096 slices"}, [&] { predict(p, rates, {8192, 1}); }));
        QVERIFY(fails(bad, {"1x8192", "4096 projections"}, [&] { predict(p, rates, {1, 8192}); }));
        QVERIFY(fails(bad, {"0x1"}, [&] { predict(p, rates, {0, 1}); }));
        QVERIFY(fails(bad, {"65536x65536"}, [&] { predict(p, rates, {65536, 65536}); }));
        rates.gpuMemoryBytes = 1e8;
        QVERIFY(fails(bad, {"one slice", "604 MB", "100 MB"}, [&] { predict(p, rates, {8, 1}); }));
    }

    // With bands, the grid of ranks has as few columns as possible: the number of rows is limited by the number of
    // slices, or of whole passes of the kernel.
    void gridsOfBands()
    {
        const Problem p = paperProblem(4096);
        Rates rates = paperRates();
        rates.loading = Loading::bands;
        QVERIFY(rankGridFor(p, rates, 2048) == (RankGrid{2048, 1}));
        QVERIFY(rankGridFor(p, rates, 8192) == (RankGrid{4096, 2}));
        rates.slicesPerPass = 32;
        QVERIFY(rankGridFor(p, rates, 2048) == (RankGrid{128, 16}));
        QVERIFY(rankGridFor(p, rates, 129) == (RankGrid{43, 3}));
        QVERIFY(rankGridFor(p, rates, 4096, 2) == (RankGrid{2, 2048}));
        Problem slice = p;
        slice.sizeZ = 1;
        QVERIFY(rankGridFor(slice, rates, 6) == (RankGrid{1, 6}));
        // Bands of 32 projections need little memory.
        rates.gpuMemoryBytes = 4.0 * 4096 * 4096 + 4.0 * 32 * 2048;
        QCOMPARE(predict(p, rates, {2048, 1}).passes, 2);
        rates.loading = Loading::gathered;
        QVERIFY(fails(ErrorKind::badRequest, {"one slice"}, [&] { predict(p, rates, {2048, 1}); }));
    }

    // Ranks read each projection once and exchange it as recorded; then each filters the rows of its slab.
    void exchangeBeforeFiltering()
    {
        Problem p = smallProblem();
        p.coneRatio = 0.3;
        const Prediction bands = predict(p, smallRates(Loading::bands), {2, 3});
        const Prediction exchanged = predict(p, smallRates(Loading::exchanged), {2, 3});
        QVERIFY(isClose(exchanged.load, 2 * 100 * 60 * 48 / 1e3)); // 2 bytes a sample
        QVERIFY(exchanged.load < bands.load);
        QVERIFY(isClose(exchanged.allGather, 2 * 100 * 60 * 16 / 3e3)); // a rank receives its column's projections
        QCOMPARE(exchanged.filter, bands.filter);
        QCOMPARE(exchanged.hostToDevice, bands.hostToDevice);
        QCOMPARE(exchanged.post(), bands.post());
        QVERIFY(isClose(exchanged.total(), std::max(exchanged.load, exchanged.allGather) +
                                               std::max(exchanged.filter, exchanged.backProjection()) +
                                               exchanged.post()));
        // Several passes load only once. A single row of ranks has nothing to exchange.
        QCOMPARE(predict(p, smallRates(Loading::exchanged), {2, 3}, 4).load, exchanged.load);
        const Prediction row = predict(p, smallRates(Loading::exchanged), {1, 6});
        QCOMPARE(row.allGather, 0.0);
        QCOMPARE(row.total(), predict(p, smallRates(Loading::bands), {1, 6}).total());
    }

    // Thin slabs of a wide cone all need nearly the same rows, so that the fastest of all grids is between the
    // extremes.
    void gridsOfWideCones()
    {
        Problem p = paperProblem(4096);
        p.coneRatio = 0.2;
        Rates rates = paperRates();
        rates.loading = Loading::bands;
        for (int ranks = 1; ranks <= 8192; ranks *= 2) {
            const double fastest = predict(p, rates, rankGridFor(p, rates, ranks)).total();
            for (int columns = 1; columns <= std::min(ranks, p.projections); columns *= 2)
                if (ranks / columns <= p.sizeZ)
                    QVERIFY(fastest <= predict(p, rates, {ranks / columns, columns}).total());
        }
        QCOMPARE(toText(rankGridFor(p, rates, 2048)), std::string("256x8"));
        QVERIFY(predict(p, rates, {256, 8}).total() < 0.7 * predict(p, rates, {2048, 1}).total());
        QVERIFY(rankGridFor(p, rates, 8) == (RankGrid{8, 1}));
        rates.reduce = 1e6; // a slow network makes sums expensive
        QVERIFY(rankGridFor(p, rates, 2048) == (RankGrid{2048, 1}));
    }

    // Two passes do the work of two ranks one after the other; the postprocessing of a pass overlaps with the next
    // pass.
    void passes()
    {
        const Problem p = smallProblem();
        const Rates rates = smallRates(Loading::gathered);
        const Prediction once = predict(p, rates, {4, 1}), twice = predict(p, rates, {2, 1}, 2);
        QCOMPARE(once.passes, 1);
        QCOMPARE(twice.passes, 2);
        QVERIFY(isClose(twice.kernel, 2 * once.kernel));
        QVERIFY(isClose(twice.load, 2 * once.load));                       // all projections in each pass
        QVERIFY(isClose(twice.hostToDevice * 1.5, 2 * once.hostToDevice)); // in one pass three GPUs share 2 connectors
        QCOMPARE(twice.store, once.store);
        QVERIFY(isClose(predict(p, smallRates(Loading::bands), {2, 1}, 2).load, once.load)); // each band once
        QVERIFY(isClose(twice.total(), twice.compute() + twice.post() / 2));                 // compute takes longer
        // If slices don't divide evenly, the slowest rank counts.
        QVERIFY(isClose(predict(p, rates, {5, 1}).kernel, 40 * 30 * 5 * 48 / 6e3));
        QVERIFY(isClose(predict(p, rates, {1, 5}).kernel, 40 * 30 * 24 * 10 / 6e3));
        Rates small = rates;
        small.gpuMemoryBytes = 4 * (40 * 30 * 12 + 100 * 60 * 32);
        QCOMPARE(predict(p, small, {1, 1}).passes, 2);
        small.gpuMemoryBytes -= 1;
        QCOMPARE(predict(p, small, {1, 1}).passes, 3);
    }

    void predictedBesideMeasured()
    {
        const Prediction seconds = predict(smallProblem(), smallRates(Loading::bands), {2, 3});
        const ModelComparison comparison = compareToModel(
            seconds,
            {{"total", 2 * seconds.total()}, {"kernel", seconds.kernel}, {"store", seconds.store / 2}, {"load", 0}});
        std::string order;
        for (const ComparedStage& row : comparison.stages)
            order += std::string(row.stage->id) + " ";
        QCOMPARE(order, std::string("load kernel store total "));
        QVERIFY(!comparison.stages[0].ratio && comparison.stages[0].share == 0.0);
        QCOMPARE(comparison.stages[1].ratio.value(), 1.0);
        QCOMPARE(comparison.stages[2].ratio.value(), 2.0);
        QCOMPARE(comparison.stages[3].ratio.value(), 0.5);
        QCOMPARE(comparison.stages[3].share.value(), 1.0);
        QVERIFY(!comparison.overlap);
        const Json json = comparisonOf(comparison);
        QCOMPARE(json["stages"].size(), std::size_t(4));
        QVERIFY(json["stages"][0]["ratio"].is_null() && json["overlap"].is_null());
        QCOMPARE(json["stages"][2]["ratio"].get<double>(), 2.0);
        QCOMPARE(json["stages"][2]["stage"].get<std::string>(), std::string("store"));
        const auto compared = [&](const char* id, double value) {
            return [=] { compareToModel(seconds, {{id, value}}); };
        };
        QVERIFY(fails(ErrorKind::badRequest, {"'saving'", "store"}, compared("saving", 1)));
        QVERIFY(fails(ErrorKind::badRequest, {"store", "-1"}, compared("store", -1)));
        QVERIFY(fails(ErrorKind::badRequest, {"store", "nan"}, compared("store", std::nan(""))));
    }
};

SINOSCOPE_TEST(ModelTest, QCoreApplication)
#include "model_test.moc"
