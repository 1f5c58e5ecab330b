// SPDX-License-Identifier: GPL-3.0-or-later
// The class Reconstructor: what each request recomputes, which requests are refused, and how requests are cancelled.
#include "engine/reconstruct/reconstruct.h"
#include "tests/fixtures.h"

#include <atomic>
#include <cmath>
#include <map>
#include <thread>

using namespace engine;
using namespace fixtures;

class ReconstructTest : public QObject
{
    Q_OBJECT

  private slots:
    void keepsStages()
    {
        const CountedScan counted(smallScan(64, 60, 4));
        Reconstructor reconstructor;
        Request request = requestFor(counted.scan);
        request.place.setSlices({1, 2});
        const Reconstruction first = reconstructor.run(request);
        QCOMPARE(first.axisSource, std::string("automatic"));
        QVERIFY(std::abs(first.axisBins - 31.5) < 0.5);
        QVERIFY(!first.timings.filter.reused);
        const std::size_t reads = counted.reads->size();
        QVERIFY(reads >= 1);

        request.setting.kernel.interpolation =
            Interpolation::nearest; // another kernel: nothing is read or filtered again
        const Reconstruction kernel = reconstructor.run(request);
        QCOMPARE(counted.reads->size(), reads);
        QVERIFY(kernel.timings.read.reused && kernel.timings.prepare.reused && kernel.timings.filter.reused &&
                kernel.timings.axis.reused);
        QCOMPARE(kernel.timings.filter.seconds, first.timings.filter.seconds);
        QVERIFY(kernel.image.values != first.image.values);

        request.setting.filter.window = Window::hann; // another filter: not read or prepared again
        const Reconstruction filter = reconstructor.run(request);
        QCOMPARE(counted.reads->size(), reads);
        QVERIFY(filter.timings.prepare.reused && !filter.timings.filter.reused);

        request.place.setSlices({3, 1}); // another slice: read, but the axis is not searched again
        const Reconstruction slice = reconstructor.run(request);
        QCOMPARE(counted.reads->size(), reads + 1);
        QCOMPARE(counted.reads->back(), (RowRange{3, 1}));
        QVERIFY(slice.timings.axis.reused);
        QCOMPARE(slice.axisBins, first.axisBins);
    }

    // As when the offset from the middle is given instead of the position.
    void axisFarFromTheMiddleIsReported()
    {
        Request request = requestFor(smallScan(64, 60, 1));
        QVERIFY(!isFullTurn(request.scan->anglesRad()));
        request.setting.axis.mode = AxisSettings::Mode::given;
        const auto isReported = [&](double bins) {
            request.setting.axis.bins = bins;
            return mentions(Reconstructor().run(request).notes, "bins from the middle of the detector (31.5)");
        };
        QVERIFY(isReported(5.3) && isReported(58));
        QVERIFY(!isReported(29) && !isReported(40));
    }

    // The requests of the window while the axis is dragged: at each position a coarse image, then the whole image.
    void movingTheAxisFiltersOnce()
    {
        const CountedScan counted(smallScan(64, 60, 2));
        Reconstructor reconstructor;
        Request request = requestFor(counted.scan);
        int filtered = 0;
        Values before;
        for (const double axis : {31.0, 31.5, 32.0})
            for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic})
                for (const int step : {4, 1}) {
                    request.setting.axis = {AxisSettings::Mode::given, axis};
                    request.setting.kernel.interpolation = interpolation;
                    request.place.previewStep = step;
                    const Reconstruction made = reconstructor.run(request);
                    filtered += !made.timings.filter.reused;
                    QVERIFY(made.image.values != before);
                    before = made.image.values;
                }
        QCOMPARE(filtered, 1);
        QCOMPARE(counted.reads->size(), std::size_t{1});
    }

    // Rows that were prepared elsewhere are used for one run, with any filter precision.
    void takesPreparedRows()
    {
        const CountedScan counted(smallScan(48, 40, 3));
        Request request = requestFor(counted.scan);
        request.setting.axis = {AxisSettings::Mode::given, 23.5};
        request.place.setSlices({0, 3});
        for (const char* method : {"cpu", "exact"}) {
            request.setting.kernel.method = method;
            const auto expected = Reconstructor().run(request).image.values;
            const RawRows raw = counted.scan->read(request.place.slices(), {});
            const std::size_t reads = counted.reads->size();
            Reconstructor reconstructor;
            reconstructor.take(prepare(request, raw, request.place.slices(), 0.25, {}));
            const Reconstruction made = reconstructor.run(request);
            QVERIFY(made.image.values == expected);
            QCOMPARE(made.timings.read.seconds, 0.25);
            QCOMPARE(counted.reads->size(), reads);
            reconstructor.take(PreparedRows{});
            QVERIFY(reconstructor.run(request).image.values == expected);
            QCOMPARE(counted.reads->size(), reads + 1);
        }
    }

    void servesPartOfWhatIsPrepared()
    {
        const CountedScan counted(smallScan(48, 40, 4));
        Reconstructor group, single;
        Request request = requestFor(counted.scan);
        request.setting.axis = {AxisSettings::Mode::given, 23.5};
        request.place.setSlices({0, 4});
        group.run(request);
        const std::size_t reads = counted.reads->size();
        request.place.setSlices({2, 1});
        const Reconstruction part = group.run(request);
        QCOMPARE(counted.reads->size(), reads);
        QCOMPARE(part.image.values, single.run(request).image.values);
    }

    void anotherScanIsReadAfresh()
    {
        Reconstructor reconstructor;
        const Reconstruction small = reconstructor.run(requestFor(smallScan(32, 30)));
        const Reconstruction large = reconstructor.run(requestFor(smallScan(48, 30)));
        QCOMPARE(small.image.width, 32);
        QCOMPARE(large.image.width, 48);
        QVERIFY(!large.timings.read.reused && !large.timings.filter.reused);
    }

    void axisModes()
    {
        const auto scan = smallScan(64, 60);
        Reconstructor reconstructor;
        Request request = requestFor(scan);
        QCOMPARE(reconstructor.run(request).axisSource, std::string("scan")); // a simulated scan specifies its axis
        request.setting.axis = {AxisSettings::Mode::middle, 0};
        const Reconstruction middle = reconstructor.run(request);
        QCOMPARE(middle.axisSource, std::string("middle"));
        QCOMPARE(middle.axisBins, 31.5);
        request.setting.axis = {AxisSettings::Mode::given, 30.25};
        QCOMPARE(reconstructor.run(request).axisBins, 30.25);
    }

    // If a scan has too few projections to find the axis, the middle is used and reported as a guess; a request to
    // find the axis is refused.
    void axisOfTooLittle()
    {
        for (const auto& [projections, arcDeg] : {std::pair(60, 60), {2, 180}, {1, 0}}) {
            Scan scan = *CountedScan(smallScan(64, projections)).scan;
            auto& beam = std::get<ParallelBeam>(scan.geometry);
            beam.anglesRad = evenAngles(projections, arcDeg * degree);
            Reconstructor reconstructor;
            Request request = requestFor(std::make_shared<Scan>(scan));
            const Reconstruction guessed = reconstructor.run(request);
            QCOMPARE(guessed.axisSource, std::string("guess"));
            QCOMPARE(guessed.axisHow, std::string("the middle of the detector"));
            QCOMPARE(guessed.axisBins, 31.5);
            QCOMPARE(*guessed.axisConfidence, 0.0);
            QVERIFY(contains(guessed.axisDoubt, "is a guess, the middle of the detector"));
            QVERIFY(contains(guessed.axisDoubt, projections > 2 ? "an arc of 59°, 90° are needed" : "projection"));
            QVERIFY(mentions(guessed.notes, "is a guess"));
            request.setting.axis.mode = AxisSettings::Mode::find;
            QVERIFY(fails(ErrorKind::badRequest, {"can't be found from", "choose the middle of the detector"},
                          [&] { reconstructor.run(request); }));
            request.setting.axis = {};
            beam.axisBins = {30}; // the scan specifies the axis
            request.scan = std::make_shared<Scan>(scan);
            QCOMPARE(reconstructor.run(request).axisSource, std::string("scan"));
        }
    }

    void figuresFollowFromTimes()
    {
        Reconstructor reconstructor;
        Request request = requestFor(smallScan(64, 50, 3));
        request.place.setSlices({0, 3});
        const Reconstruction result = reconstructor.run(request);
        const double updates = 3.0 * 64 * 64 * 50;
        QVERIFY(result.timings.kernelSeconds > 0);
        QCOMPARE(result.kernelGups, updates / result.timings.kernelSeconds / 1e9);
        QVERIFY(result.timings.totalSeconds > result.timings.kernelSeconds);
        QCOMPARE(result.totalGups, updates / result.timings.totalSeconds / 1e9);
    }

    void refusesNonsense_data()
    {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("no scan") << 0 << "no scan";
        QTest::newRow("slice") << 1 << "slice 7";
        QTest::newRow("axis") << 2 << "outside the detector";
        QTest::newRow("threads") << 3 << "threads";
        QTest::newRow("method") << 4 << "warp";
        QTest::newRow("region") << 5 << "does not lie inside";
        QTest::newRow("cutoff") << 6 << "cut-off";
        QTest::newRow("oversampling") << 7 << "oversampling";
        QTest::newRow("slices per pass") << 8 << "3";
        QTest::newRow("nan angle") << 9 << "angle of projection 5";
    }

    void refusesNonsense()
    {
        QFETCH(int, what);
        QFETCH(QString, mentions);
        Request request = requestFor(smallScan(32, 30, 2));
        switch (what) {
        case 0:
            request.scan.reset();
            break;
        case 1:
            request.place.setSlices({7, 1});
            break;
        case 2:
            request.setting.axis = {AxisSettings::Mode::given, 32};
            break;
        case 3:
            request.resources.threads = -1;
            break;
        case 4:
            request.setting.kernel.method = "warp";
            break;
        case 5:
            request.place.setRegion(Region{20, 0, 13, 5});
            break;
        case 6:
            request.setting.filter.cutoff = 0;
            break;
        case 7:
            request.setting.kernel.interpolation = Interpolation::oversampled;
            request.setting.kernel.oversampling = 0;
            break;
        case 8:
            request.setting.kernel.slicesPerPass = 3;
            break;
        case 9: {
            auto broken = std::make_shared<Scan>(*request.scan);
            std::get<ParallelBeam>(broken->geometry).anglesRad[5] = std::nan("");
            request.scan = broken;
        }
        }
        const auto error = errorOf([&] { Reconstructor().run(request); });
        QVERIFY(error);
        QCOMPARE(exitStatus(error->kind()), 2);
        QVERIFY2(contains(error->what(), mentions.toStdString()), error->what());
    }

    void cancelsPromptly_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<int>("slices");
        QTest::addColumn<Stage>("stage");
        QTest::addColumn<double>("fraction");
        for (const auto& [method, slices] : {std::pair("cpu", 1), std::pair("exact", 1), std::pair("cpu", 8)})
            for (const auto& [stage, fraction] :
                 {std::pair(Stage::read, 0.0), std::pair(Stage::prepare, 0.0), std::pair(Stage::axis, 0.0),
                  std::pair(Stage::filter, 0.0), std::pair(Stage::filter, 0.5), std::pair(Stage::backproject, 0.0),
                  std::pair(Stage::backproject, 0.5), std::pair(Stage::backproject, 0.9)})
                QTest::addRow("%s, slices: %d, %s, %g of it", method, slices, toText(stage).c_str(), fraction)
                    << QString(method) << slices << stage << fraction;
    }

    // Another thread requests a stop in each stage: no new work begins, each thread may finish its current work, and
    // the next request is unaffected.
    void cancelsPromptly()
    {
        QFETCH(QString, method);
        QFETCH(int, slices);
        QFETCH(Stage, stage);
        QFETCH(double, fraction);
        const int size = sanitized ? 48 : 256;
        static const CountedScan counted(smallScan(size, size, 8)); // its axis must be searched
        Request request = requestFor(counted.scan, method.toStdString());
        request.place.setSlices({0, slices});
        request.resources.threads = 2;
        static std::map<std::pair<QString, int>, Values> expected;
        Values& values = expected[{method, slices}];
        if (values.empty())
            values = Reconstructor().run(request).image.values;

        Reconstructor reconstructor;
        std::stop_source stop;
        std::atomic<bool> asked = false;
        std::atomic<int> late = 0;
        const auto onProgress = [&](Stage now, double part) {
            late += stop.stop_requested();
            if (now == stage && part >= fraction && !asked.exchange(true))
                std::jthread([&] { stop.request_stop(); }).join();
        };
        QVERIFY(fails(ErrorKind::cancelled, [&] { reconstructor.run(request, onProgress, stop.get_token()); }));
        QVERIFY2(late <= request.resources.threads, qPrintable(QString::number(late)));
        QVERIFY(reconstructor.run(request).image.values == values);
    }

    void runsInSeveralThreadsAtOnce()
    {
        const auto scan = smallScan(48, 40);
        const auto expected = Reconstructor().run(requestFor(scan)).image.values;
        std::vector<Values> images(3);
        {
            std::vector<std::jthread> threads;
            for (auto& image : images)
                threads.emplace_back([&] { image = Reconstructor().run(requestFor(scan)).image.values; });
        }
        for (const auto& image : images)
            QCOMPARE(image, expected);
    }
};

SINOSCOPE_TEST(ReconstructTest, QCoreApplication)
#include "reconstruct_test.moc"
