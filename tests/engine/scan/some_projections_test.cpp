// SPDX-License-Identifier: GPL-3.0-or-later
// Images from parts of a cone beam's projections: their sum is the image from all projections, including properties
// that depend on all of them.
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "engine/scan/some_projections.h"
#include "engine/volume/performance_model.h"
#include "engine/volume/rank_grid.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

constexpr int bins = 48, rows = 32;

ConeBeam beamOver(double degrees, double offsetBins, double rollDeg)
{
    ConeOptions options;
    options.sourceAxisMm = 140;
    options.sourceDetectorMm = 210;
    options.pixelUMm = 1.5;
    std::vector<double> anglesRad;
    for (int k = 0; k < 61; ++k)
        anglesRad.push_back((20 + degrees * k / 61) * degree);
    ConeBeam beam = coneBeamFrom(options, bins, rows, std::move(anglesRad), "test");
    beam.axisBins = {beam.middleBins() + offsetBins};
    beam.rollRad = rollDeg * degree;
    return beam;
}

Request of(const ConeBeam& beam, const char* method)
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.counts = false;
    Request request = requestFor(simulate(simulation, beam), method);
    request.place.setSlices({4, 21});
    return request;
}

} // namespace

class SomeProjectionsTest : public QObject
{
    Q_OBJECT

  private slots:
    void sumIsTheImageOfAll_data()
    {
        QTest::addColumn<double>("degrees");
        QTest::addColumn<double>("offsetBins");
        QTest::addColumn<double>("rollDeg");
        QTest::addColumn<bool>("matrices");
        QTest::newRow("full circle") << 360.0 << 0.0 << 0.0 << false;
        QTest::newRow("short scan") << 230.0 << 0.5 << 0.0 << false;
        QTest::newRow("matrices") << 230.0 << 0.5 << 0.0 << true;
        QTest::newRow("aside of the axis") << 360.0 << 11.0 << 0.0 << false;
        QTest::newRow("aside and rolled") << 360.0 << 11.0 << 2.0 << false;
    }
    void sumIsTheImageOfAll()
    {
        QFETCH(const double, degrees);
        QFETCH(const double, offsetBins);
        QFETCH(const double, rollDeg);
        QFETCH(const bool, matrices);
        ConeBeam beam = beamOver(degrees, offsetBins, rollDeg);
        if (matrices) {
            beam.matrices = projectionMatrices(beam);
            beam.axisBins.clear();
        }
        for (const char* method : {"exact", "cpu"}) {
            Request request = of(beam, method);
            const Reconstruction all = Reconstructor().run(request);
            Volume sum;
            Reconstructor kept; // its cache distinguishes the selected projections
            for (int column = 0; column < 3; ++column) {
                request.place.projections = projectionsOfColumn(61, {1, 3}, column);
                const Reconstruction part = kept.run(request);
                QVERIFY(relativeError(part.image, all.image) > 0.1);
                if (column == 0)
                    QCOMPARE(part.notes, all.notes);
                if (sum.values.empty())
                    sum = part.image;
                else
                    std::ranges::transform(sum.values, part.image.values, sum.values.begin(), std::plus());
            }
            const double error = relativeError(sum, all.image);
            QVERIFY2(error < 1e-6, qPrintable(QString("%1: %2").arg(method).arg(error)));
        }
    }

    // The same for a volume in groups; its figures count the work actually done.
    void volume()
    {
        Request request = of(beamOver(360, 0, 0), "cpu");
        VolumePlan plan = planVolume(request);
        plan.slicesPerGroup = 8;
        Volume sums[2] = {};
        for (const bool divided : {false, true})
            for (int column = 0; column < (divided ? 2 : 1); ++column) {
                if (divided)
                    request.place.projections = projectionsOfColumn(61, {1, 2}, column);
                Values values;
                const Reconstruction made =
                    reconstructVolume(request, plan, [&](Reconstruction& group, std::stop_token) {
                        values.insert(values.end(), group.image.values.begin(), group.image.values.end());
                    });
                const double updates = 48.0 * 48 * 21 * (divided ? (column ? 31 : 30) : 61);
                QVERIFY(std::abs(made.totalGups * made.timings.totalSeconds * 1e9 / updates - 1) < 1e-9);
                Volume& sum = sums[divided];
                if (sum.values.empty())
                    sum.values.assign(values.size(), 0.0F);
                std::ranges::transform(sum.values, values, sum.values.begin(), std::plus());
            }
        const double error = relativeError(sums[1], sums[0]);
        QVERIFY2(error < 1e-6, qPrintable(QString::number(error)));
    }

    // Without flats, each column of ranks would derive another brightness of air from its own projections.
    void countsWithoutFlats()
    {
        Simulation simulation;
        simulation.phantom = Phantom::sheppLogan3d;
        auto scan = std::make_shared<Scan>(*simulate(simulation, beamOver(360, 0, 0)));
        QVERIFY(scan->flatFrames > 0);
        QVERIFY(rankGridFor(requestFor(scan, "cpu"), 1, 4) == (RankGrid{1, 4}));
        scan->flatFrames = 0;
        const Request request = requestFor(scan, "cpu");
        QVERIFY(rankGridFor(request, 1, 4) == (RankGrid{4, 1}));
        QVERIFY_THROWS_EXCEPTION(Error, rankGridFor(request, 1, 4, {2, 2}));
        scan->quantity = Quantity::transmission;
        QVERIFY(rankGridFor(request, 1, 4) == (RankGrid{1, 4}));
    }

    void refused()
    {
        const auto says = [](Request request, const char* text) {
            try {
                validate(request);
                QFAIL("it was taken");
            } catch (const Error& error) {
                QCOMPARE(error.kind(), ErrorKind::badRequest);
                QVERIFY2(std::string(error.what()).find(text) != std::string::npos, error.what());
            }
        };
        Request request = of(beamOver(360, 0, 0), "cpu");
        request.place.projections = {{50, 12}};
        says(request, "projections 50 to 61 of 61");
        request.place.projections = {{-1, 2}};
        says(request, "projections -1 to 0");
        request.place.projections = {{0, 0}};
        says(request, "of 61");
        request = requestFor(smallScan(32, 20), "cpu");
        request.place.projections = {{0, 5}};
        says(request, "parallel beam");
    }

    void grids_data()
    {
        QTest::addColumn<int>("parts");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("grid");
        QTest::newRow("slabs alone") << 8 << 8 << "8x1";
        QTest::newRow("more ranks than slabs") << 5 << 8 << "4x2";
        QTest::newRow("a prime number of ranks") << 5 << 7 << "1x7";
        QTest::newRow("one slab") << 1 << 2048 << "1x2048";
        QTest::newRow("one rank") << 1 << 1 << "1x1";
    }
    void grids()
    {
        QFETCH(const int, parts);
        QFETCH(const int, ranks);
        QFETCH(const QString, grid);
        Request request = of(beamOver(360, 0, 0), "cpu");
        if (ranks == 2048) {
            ConeBeam beam = beamOver(360, 0, 0);
            beam.anglesRad = evenAngles(3000, 2 * std::numbers::pi);
            auto scan = std::make_shared<Scan>(*request.scan);
            scan->geometry = beam;
            request.scan = scan;
        }
        QCOMPARE(QString::fromStdString(toText(rankGridFor(request, parts, ranks))), grid);
        int next = 0; // each projection is in one column
        const RankGrid made = rankGridFromText(grid.toStdString());
        for (int column = 0; column < made.columns; ++column) {
            const RowRange own = projectionsOfColumn(3001, made, column);
            QCOMPARE(own.first, next);
            QVERIFY(std::abs(own.count - 3001.0 / made.columns) < 1);
            next += own.count;
        }
        QCOMPARE(next, 3001);
    }

    // The performance model chooses the grid of ranks, whether rates are given or not: thin slabs of a wide cone share
    // rows, but summing over the columns has a cost, too.
    void gridsByTheModel()
    {
        ConeOptions options;
        options.sourceAxisMm = 1000;
        options.sourceDetectorMm = 1500;
        options.pixelUMm = 1.5 * 250.0 / 512; // a cone ratio of about 0.18
        ConeBeam beam = coneBeamFrom(options, 512, 512, evenAngles(1024, 2 * std::numbers::pi), "test");
        auto scan = std::make_shared<Scan>();
        scan->rows = 512;
        scan->quantity = Quantity::attenuation;
        scan->geometry = beam;
        Request request;
        request.scan = scan;
        request.setting.kernel.method = "cpu";
        request.setting.kernel.slicesPerPass = 1;
        request.place.setSlices({0, 512});
        const auto grid = [&](int ranks, const Rates* rates = nullptr) {
            return rankGridFor(request, 512, ranks, {}, rates);
        };
        QCOMPARE(grid(4), (RankGrid{4, 1}));
        const RankGrid many = grid(512);
        QVERIFY2(many.columns > 1 && many.rows > 1 && many.rows * many.columns == 512, toText(many).c_str());
        Rates dear; // first sums over a slow network, then reading from slow disks
        dear.reduce = 1e3;
        QCOMPARE(grid(512, &dear), (RankGrid{512, 1}));
        dear.reduce = 1e30;
        dear.load = 1e3;
        QVERIFY2(grid(512, &dear).columns > many.columns, toText(grid(512, &dear)).c_str());
        QCOMPARE(rankGridFor(request, 512, 512, {512, 1}, &dear), (RankGrid{512, 1})); // the requested number of rows
        const std::vector<RankGrid> all = gridsOf(12, 6, 4);
        QCOMPARE(all, (std::vector<RankGrid>{{6, 2}, {4, 3}, {3, 4}}));
        QCOMPARE(gridsOf(7, 5, 5), (std::vector<RankGrid>{{1, 7}}));
    }

    void gridsRefused()
    {
        const Request cone = of(beamOver(360, 0, 0), "cpu");
        const Request parallel = requestFor(smallScan(32, 20), "cpu");
        QCOMPARE(rankGridFor(parallel, 2, 8), (RankGrid{8, 1}));
        const auto says = [](const auto& work, const char* text) {
            try {
                work();
                QFAIL("it was taken");
            } catch (const Error& error) {
                QVERIFY2(std::string(error.what()).find(text) != std::string::npos, error.what());
            }
        };
        for (const char* text : {"", "4", "4x", "x2", "0x4", "-1x4", "2x2 ", "2x2x1", "4294967297x1", "axb"})
            says([&] { rankGridFromText(text); }, "rows and columns of ranks, such as 4x2");
        says([&] { rankGridFor(cone, 2, 8, {3, 2}); }, "3x2 ranks were requested, but there are 8");
        says([&] { rankGridFor(parallel, 2, 8, {4, 2}); }, "not its projections: use 8x1");
        says([&] { rankGridFor(cone, 2, 62, {1, 62}); }, "only 61 projections");
    }

    // Every fourth projection of a simulated scan, with the geometry of these.
    void everyFourth()
    {
        const Request cone = of(beamOver(360, 0.4, 1), "cpu");
        for (const auto& scan : {cone.scan, smallScan(40, 61, 3)}) {
            const auto some = withEvery(*scan, 4);
            QVERIFY(some);
            QCOMPARE(some->projections(), 16);
            const RawRows few = some->read({1, 2}, {}), all = scan->read({1, 2}, {});
            const std::size_t frame = std::size_t(2) * few.bins;
            for (int p = 0; p < 16; ++p) {
                QCOMPARE(some->anglesRad()[p], scan->anglesRad()[4 * p]);
                for (std::size_t k = 0; k < frame; ++k)
                    QCOMPARE(few.data[p * frame + k], all.data[4 * p * frame + k]);
            }
            const auto fewer = withEvery(*some, 2); // every eighth
            QCOMPARE(fewer->anglesRad()[7], scan->anglesRad()[56]);
            QVERIFY(fewer->read({1, 2}, {}).data == withEvery(*scan, 8)->read({1, 2}, {}).data);
        }
    }
};

SINOSCOPE_TEST(SomeProjectionsTest, QCoreApplication)
#include "some_projections_test.moc"
