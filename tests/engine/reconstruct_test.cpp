#include "engine/error.h"
#include "engine/reconstruct.h"
#include "engine/scan/phantom.h"

#include <QTest>

#include <chrono>
#include <cmath>
#include <thread>

using namespace engine;

namespace
{

std::shared_ptr<const Scan> sample(int size, int projections, int slices = 1)
{
    Simulation simulation;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = slices;
    return simulate(simulation);
}

// The same scan, counting how often and which rows it is read; the axis is not known.
struct Counted {
    std::shared_ptr<std::vector<RowRange>> reads = std::make_shared<std::vector<RowRange>>();
    std::shared_ptr<const Scan> scan;

    explicit Counted(const std::shared_ptr<const Scan>& original)
    {
        auto copy = std::make_shared<Scan>(*original);
        std::get<ParallelBeam>(copy->geometry).axisBins.clear();
        copy->read = [original, log = reads](RowRange rows, std::stop_token stop) {
            log->push_back(rows);
            return original->read(rows, stop);
        };
        scan = copy;
    }
};

Request requestFor(const std::shared_ptr<const Scan>& scan)
{
    Request request;
    request.scan = scan;
    request.setting.kernel.method = "cpu";
    return request;
}

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

class ReconstructTest : public QObject
{
    Q_OBJECT

  private slots:
    void keepsStages()
    {
        const Counted counted(sample(64, 60, 4));
        Reconstructor reconstructor;
        Request request = requestFor(counted.scan);
        request.place.slices = {1, 2};
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

        request.place.slices = {3, 1}; // another slice: read, but the axis is not looked for again
        const Reconstruction slice = reconstructor.run(request);
        QCOMPARE(counted.reads->size(), reads + 1);
        QCOMPARE(counted.reads->back(), (RowRange{3, 1}));
        QVERIFY(slice.timings.axis.reused);
        QCOMPARE(slice.axisBins, first.axisBins);
    }

    // What the window asks for while the axis is dragged: a coarse image, then the whole, at each place.
    void movingTheAxisFiltersOnce()
    {
        const Counted counted(sample(64, 60, 2));
        Reconstructor reconstructor;
        Request request = requestFor(counted.scan);
        int filtered = 0;
        std::vector<float> before;
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

    // Rows that were prepared elsewhere serve one run, whichever precision it filters in.
    void takesPreparedRows()
    {
        const Counted counted(sample(48, 40, 3));
        Request request = requestFor(counted.scan);
        request.setting.axis = {AxisSettings::Mode::given, 23.5};
        request.place.slices = {0, 3};
        for (const char* method : {"cpu", "exact"}) {
            request.setting.kernel.method = method;
            const auto expected = Reconstructor().run(request).image.values;
            const RawRows raw = counted.scan->read(request.place.slices, {});
            const std::size_t reads = counted.reads->size();
            Reconstructor reconstructor;
            reconstructor.take(prepare(request, raw, 0.25, {}));
            const Reconstruction made = reconstructor.run(request);
            QVERIFY(made.image.values == expected);
            QCOMPARE(made.timings.read.seconds, 0.25);
            QCOMPARE(counted.reads->size(), reads);
            reconstructor.take({});
            QVERIFY(reconstructor.run(request).image.values == expected);
            QCOMPARE(counted.reads->size(), reads + 1);
        }
    }

    void servesPartOfWhatIsPrepared()
    {
        const Counted counted(sample(48, 40, 4));
        Reconstructor group, single;
        Request request = requestFor(counted.scan);
        request.setting.axis = {AxisSettings::Mode::given, 23.5};
        request.place.slices = {0, 4};
        group.run(request);
        const std::size_t reads = counted.reads->size();
        request.place.slices = {2, 1};
        const Reconstruction part = group.run(request);
        QCOMPARE(counted.reads->size(), reads);
        QCOMPARE(part.image.values, single.run(request).image.values);
    }

    void anotherScanIsReadAfresh()
    {
        Reconstructor reconstructor;
        const Reconstruction small = reconstructor.run(requestFor(sample(32, 30)));
        const Reconstruction large = reconstructor.run(requestFor(sample(48, 30)));
        QCOMPARE(small.image.width, 32);
        QCOMPARE(large.image.width, 48);
        QVERIFY(!large.timings.read.reused && !large.timings.filter.reused);
    }

    void axisModes()
    {
        const auto scan = sample(64, 60);
        Reconstructor reconstructor;
        Request request = requestFor(scan);
        QCOMPARE(reconstructor.run(request).axisSource, std::string("scan")); // a simulated scan knows it
        request.setting.axis = {AxisSettings::Mode::middle, 0};
        const Reconstruction middle = reconstructor.run(request);
        QCOMPARE(middle.axisSource, std::string("middle"));
        QCOMPARE(middle.axisBins, 31.5);
        request.setting.axis = {AxisSettings::Mode::given, 30.25};
        QCOMPARE(reconstructor.run(request).axisBins, 30.25);
    }

    void regionAndPreviewAgreeWithTheWhole()
    {
        const auto scan = sample(64, 90);
        Reconstructor reconstructor;
        Request request = requestFor(scan);
        const Reconstruction whole = reconstructor.run(request);
        request.place.region = Region{10, 20, 30, 17};
        const Reconstruction part = reconstructor.run(request);
        QCOMPARE(part.image.width, 30);
        QCOMPARE(part.image.height, 17);
        double worst = 0, largest = 0;
        for (int row = 0; row < 17; ++row)
            for (int column = 0; column < 30; ++column) {
                const double expected = whole.image.values[(row + 20) * 64 + column + 10];
                worst = std::max(worst, std::abs(part.image.values[row * 30 + column] - expected));
                largest = std::max(largest, std::abs(expected));
            }
        QVERIFY(worst <= 2e-6 * largest);

        request.place.region.reset();
        request.setting.kernel.method = "exact";
        const Reconstruction truth = reconstructor.run(request);
        request.place.previewStep = 3; // its pixels are the centres of 3×3 of the whole
        const Reconstruction coarse = reconstructor.run(request);
        QCOMPARE(coarse.image.width, 22);
        double difference = 0;
        for (int row = 0; row < 21; ++row)
            for (int column = 0; column < 21; ++column)
                difference =
                    std::max(difference, double(std::abs(coarse.image.values[row * 22 + column] -
                                                         truth.image.values[(3 * row + 1) * 64 + 3 * column + 1])));
        QVERIFY(difference <= 2e-6 * largest);
    }

    void previewIsTheMeanOfWhatItStandsFor_data()
    {
        QTest::addColumn<int>("step");
        QTest::addColumn<bool>("region");
        QTest::addColumn<double>("axisOffset");
        for (const int step : {2, 3, 4})
            for (const bool region : {false, true})
                for (const double axisOffset : {0.0, 5.3})
                    QTest::addRow("%d %d %.1f", step, region, axisOffset) << step << region << axisOffset;
    }

    // The processor's preview is made of coarse bins: next to the means of step × step pixels of the whole slice,
    // and farther from the means beside them.
    void previewIsTheMeanOfWhatItStandsFor()
    {
        QFETCH(int, step);
        QFETCH(bool, region);
        QFETCH(double, axisOffset);
        Simulation simulation;
        simulation.size = 250;
        simulation.projections = 300;
        simulation.axisOffsetBins = axisOffset;
        Request request = requestFor(simulate(simulation));
        if (region)
            request.place.region = Region{61, 33, 120, 150};
        Reconstructor reconstructor;
        const Reconstruction whole = reconstructor.run(request);
        request.place.previewStep = step;
        const Reconstruction coarse = reconstructor.run(request);
        QVERIFY(coarse.timings.filter.reused);
        QVERIFY(coarse.grid == gridOf(request));
        const auto distance = [&](int right, int down) { // from means that far beside
            double sum = 0;
            int count = 0;
            for (int row = 1; row + 1 < whole.image.height / step; ++row)
                for (int column = 1; column + 1 < whole.image.width / step; ++column, ++count) {
                    double mean = 0;
                    for (int k = 0; k < step * step; ++k)
                        mean += whole.image.values[(row * step + down + k / step) * whole.image.width + column * step +
                                                   right + k % step];
                    const double error = coarse.image.values[row * coarse.image.width + column] - mean / (step * step);
                    sum += error * error;
                }
            return std::sqrt(sum / count);
        };
        const double here = distance(0, 0);
        const int half = (step + 1) / 2; // a coarse pixel
        for (const double beside : {distance(half, 0), distance(-half, 0), distance(0, half), distance(0, -half)})
            QVERIFY2(here < 0.7 * beside, qPrintable(QString("%1 here, %2 beside").arg(here).arg(beside)));
    }

    // 1024² from 1024 projections, from the request to the image; tests/bench/results/cpu-preview.json.
    void previewComesFirst()
    {
        const auto simulated = sample(1024, 1024);
        auto scan = std::make_shared<Scan>(*simulated);
        scan->read = [raw = simulated->read({0, 1}, {})](RowRange, std::stop_token) { return raw; };
        Reconstructor reconstructor;
        Request request = requestFor(scan);
        const auto run = [&](int step, const char* what) {
            request.place.previewStep = step;
            const Timings times = reconstructor.run(request).timings;
            qInfo("%s: %.1f ms (last read %.1f, prepared %.1f, filtered %.1f%s, back-projected %.1f)", what,
                  times.elapsedSeconds * 1e3, times.read.seconds * 1e3, times.prepare.seconds * 1e3,
                  times.filter.seconds * 1e3, times.filter.reused ? " before" : "", times.backprojectSeconds * 1e3);
            return times;
        };
        run(4, "first coarse image");
        run(1, "whole image");
        request.setting.axis = {AxisSettings::Mode::given, 500};
        const Timings coarse = run(4, "another axis, coarse");
        const Timings whole = run(1, "another axis, whole");
        QVERIFY(coarse.filter.reused && whole.filter.reused);
        QVERIFY(coarse.elapsedSeconds < 0.5 * whole.elapsedSeconds);
    }

    void figuresFollowFromTimes()
    {
        Reconstructor reconstructor;
        Request request = requestFor(sample(64, 50, 3));
        request.place.slices = {0, 3};
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
        QTest::newRow("slice") << 1 << "slices 7";
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
        Request request = requestFor(sample(32, 30, 2));
        switch (what) {
        case 0:
            request.scan.reset();
            break;
        case 1:
            request.place.slices = {7, 1};
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
            request.place.region = Region{20, 0, 13, 5};
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
        Reconstructor reconstructor;
        try {
            reconstructor.run(request);
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(exitStatus(error.kind()), 2);
            QVERIFY2(QString::fromStdString(error.what()).contains(mentions), error.what());
        }
    }

    // Stopped at different moments of a 2048² slice, and of eight, in each stage: over within 100 ms of being asked.
    void cancelsPromptly_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<int>("slices");
        QTest::addColumn<int>("afterMs");
        for (const QString method : {"cpu", "exact"})
            for (const int ms : {0, 20, 300, 900})
                QTest::addRow("%s after %d ms", qPrintable(method), ms) << method << 1 << ms;
        for (const int ms : {0, 50, 500, 1500, 2000, 2500})
            QTest::addRow("eight slices after %d ms", ms) << "cpu" << 8 << ms;
    }

    void cancelsPromptly()
    {
        QFETCH(QString, method);
        QFETCH(int, slices);
        QFETCH(int, afterMs);
        static const auto scan = sample(2048, 2048, 8);
        static Reconstructor reconstructor;
        Request request = requestFor(scan);
        request.setting.kernel.method = method.toStdString();
        request.place.slices.count = slices;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
        const double most = 2; // sanitizers are many times slower
#else
        const double most = 0.05;
#endif
        // A busy machine may put a thread off for longer; one that can't be stopped is late every time.
        double late = most;
        for (int attempt = 0; attempt < 3 && late >= most; ++attempt) {
            std::stop_source stop;
            std::chrono::steady_clock::time_point asked;
            std::jthread killer([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(afterMs));
                asked = std::chrono::steady_clock::now();
                stop.request_stop();
            });
            bool cancelled = false;
            try {
                for (;; request.setting.filter.cutoff *= 0.999) // a fast machine is done before, and filters again
                    reconstructor.run(request, {}, stop.get_token());
            } catch (const Error& error) {
                cancelled = error.kind() == ErrorKind::cancelled;
            }
            killer.join();
            late = secondsSince(asked);
            qInfo("%.1f ms after being asked", late * 1e3);
            QVERIFY(cancelled);
        }
        QVERIFY(late < most);
        // The next request works.
        const Reconstruction next = reconstructor.run(requestFor(sample(16, 10)));
        QCOMPARE(next.image.width, 16);
    }

    void runsInSeveralThreadsAtOnce()
    {
        const auto scan = sample(48, 40);
        const auto expected = Reconstructor().run(requestFor(scan)).image.values;
        std::vector<std::vector<float>> images(3);
        {
            std::vector<std::jthread> threads;
            for (auto& image : images)
                threads.emplace_back([&] { image = Reconstructor().run(requestFor(scan)).image.values; });
        }
        for (const auto& image : images)
            QCOMPARE(image, expected);
    }
};

QTEST_GUILESS_MAIN(ReconstructTest)
#include "reconstruct_test.moc"
