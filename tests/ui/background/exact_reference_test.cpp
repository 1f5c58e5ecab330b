// SPDX-License-Identifier: GPL-3.0-or-later
// The reference computed in bands: bit for bit as when computed as a whole, and after a stop no work is repeated.
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/base/error.h"
#include "engine/compare/reference_image.h"
#include "engine/simulate/phantom.h"
#include "tests/ui/fixtures.h"
#include "ui/background/exact_reference.h"

#include <QTest>
#include <QThread>

#include <limits>

using namespace ui;

namespace
{

std::shared_ptr<const engine::Scan> phantom(int size, int projections)
{
    return engine::simulate(fixtures::simulationOf(engine::Phantom::sheppLogan3d, size, projections, 3));
}

engine::Request referenceOf(std::shared_ptr<const engine::Scan> scan, std::optional<engine::Region> region = {})
{
    engine::Request request;
    request.scan = std::move(scan);
    request.place.setSlices({0, 2});
    request.place.setRegion(region);
    engine::Reconstruction a;
    a.axisBins = request.scan->middleBins() + 0.3;
    a.axisSource = "automatic";
    return engine::exactRequest(request, 1, a);
}

struct Stop { // not an engine::Error: exceptions of any type must pass through
};

// The result of a computation that is stopped before band number `stopBefore`: the image, or null if it was stopped,
// and the number of bands started.
struct Outcome {
    ExactReference::Result result;
    int bands = 0;
};

Outcome compute(ExactReference& reference, const engine::Request& request, int stopBefore)
{
    Outcome outcome;
    try {
        outcome.result = reference.compute(
            request,
            [&](std::optional<double>) {
                if (outcome.bands == stopBefore)
                    throw Stop();
                ++outcome.bands;
            },
            [](engine::Stage, double, std::optional<double>) {}, {});
    } catch (const Stop&) {
    }
    return outcome;
}

} // namespace

class ReferenceTest : public QObject
{
    Q_OBJECT

  private slots:
    void sameBitsAsInOneGo_data()
    {
        QTest::addColumn<QRect>("region");
        QTest::newRow("whole") << QRect();
        QTest::newRow("region") << QRect(31, 17, 150, 201);
        QTest::newRow("one row") << QRect(5, 60, 90, 1);
    }

    void sameBitsAsInOneGo()
    {
        QFETCH(QRect, region);
        std::optional<engine::Region> part;
        if (!region.isEmpty())
            part = engine::Region{region.x(), region.y(), region.width(), region.height()};
        engine::Request request = referenceOf(phantom(257, 200), part);
        auto scan = std::make_shared<engine::Scan>(*request.scan);
        scan->read = [read = scan->read](engine::RowRange rows, std::stop_token stop) { // with a fault that is noted
            engine::RawRows raw = read(rows, std::move(stop));
            raw.data.floats()[70] = std::numeric_limits<float>::quiet_NaN();
            return raw;
        };
        request.scan = scan;
        const engine::Reconstruction expected = engine::Reconstructor().run(request);
        QVERIFY(fixtures::mentions(expected.notes, "1 value that is not a number"));
        ExactReference reference;
        Outcome outcome;
        int stops = 0;
        while (!outcome.result) { // stopped after every band
            outcome = compute(reference, request, 1);
            stops += !outcome.result;
            QVERIFY(stops < 300);
        }
        const engine::Reconstruction& made = *outcome.result;
        QVERIFY(region.height() == 1 || stops > 0);
        QVERIFY(made.image.values == expected.image.values);
        QCOMPARE(made.image.width, expected.image.width);
        QCOMPARE(made.image.height, expected.image.height);
        QCOMPARE(made.image.slices, 1);
        QVERIFY(made.grid == expected.grid);
        QVERIFY(made.request.place.region() == part);
        QCOMPARE(made.method, expected.method);
        QCOMPARE(made.unit, expected.unit);
        QCOMPARE(made.axisBins, expected.axisBins);
        QVERIFY(made.notes == expected.notes); // counted once, not once per band
        QVERIFY(made.kernelGups > 0 && made.totalGups > 0 && made.timings.elapsedSeconds > 0);
    }

    void stoppedWithinABand()
    {
        const engine::Request request = referenceOf(phantom(257, 200));
        ExactReference reference;
        int bands = 0;
        std::stop_source stop;
        try {
            reference.compute(
                request, [&](std::optional<double>) { ++bands; },
                [&](engine::Stage stage, double, std::optional<double>) {
                    if (stage == engine::Stage::backproject && bands == 2)
                        stop.request_stop();
                },
                stop.get_token());
            QFAIL("it was not stopped");
        } catch (const engine::Error& error) {
            QCOMPARE(error.kind(), engine::ErrorKind::cancelled);
        }
        const Outcome rest = compute(reference, request, -1);
        QVERIFY(rest.result);
        QVERIFY(rest.result->image.values == engine::Reconstructor().run(request).image.values);
    }

    void goesOnWhereItWasStopped()
    {
        const engine::Request request = referenceOf(phantom(512, 400)); // 0.1 GU
        ExactReference reference;
        double furthest = 0, first = -1;
        const auto measure = [&](bool stopping) {
            const auto before = [&](std::optional<double>) {
                if (stopping && furthest > 0.3)
                    throw Stop();
            };
            const auto progress = [&](engine::Stage stage, double fraction, std::optional<double>) {
                if (stage != engine::Stage::backproject)
                    return;
                if (stopping)
                    furthest = fraction; // the progress of any thread suffices
                else if (first < 0)
                    first = fraction;
            };
            try {
                return reference.compute(request, before, progress, {});
            } catch (const Stop&) {
                return ExactReference::Result();
            }
        };
        // Stops before the first band that would begin when more than 0.3 of the image is done. If there is none, the
        // image is completed.
        while (!measure(true) && furthest <= 0.3) {
        }
        const ExactReference::Result done = measure(false);
        QVERIFY(done);
        if (first >= 0) // the image took more than one band
            QVERIFY2(first > 0.25, qPrintable(QString::number(first)));
    }

    void dependsOnWhatTheImageDependsOn()
    {
        const auto scan = phantom(64, 50);
        engine::Request request;
        request.scan = scan;
        request.place.setSlices({0, 2});
        engine::Reconstruction a;
        a.axisBins = 30;
        a.axisSource = "middle";
        ExactReference reference;
        const auto of = [&](const engine::Request& of, int slice = 1) {
            return reference.compute(
                engine::exactRequest(of, slice, a), [](std::optional<double>) {},
                [](engine::Stage, double, std::optional<double>) {}, {});
        };
        const ExactReference::Result first = of(request);
        engine::Request other = request; // differs in the kernel only
        other.setting.kernel.method = "cpu";
        other.setting.kernel.interpolation = engine::Interpolation::cubic;
        other.setting.kernel.oversampling = 7;
        other.setting.kernel.precision = engine::Precision::half;
        other.setting.kernel.slicesPerPass = 2;
        other.resources.device.backend = "cpu";
        other.resources.memoryLimitBytes = 1e9;
        other.setting.kernel.variant = "3/8";
        QCOMPARE(of(other), first);
        QVERIFY(of(request, 0) != first);
        other = request;
        other.setting.filter.window = engine::Window::hann;
        QVERIFY(of(other) != first);
        other = request;
        other.place.setRegion(engine::Region{3, 4, 20, 21});
        QVERIFY(of(other) != first);
        a.axisBins = 31;
        QVERIFY(of(request) != first); // depends on the axis as used
        QVERIFY(reference.find(engine::exactRequest(request, 1, a)));
        a.axisBins = 30;
        QVERIFY(reference.find(engine::exactRequest(request, 0, a)));
        QCOMPARE(reference.find(engine::exactRequest(request, 1, a)), first); // the cache holds all of them
    }

    // A band contains no more tiles than its time allows. Here each tile takes half of that time.
    void bandsAreShort()
    {
        constexpr int rowsOfTiles = 4;
        engine::Request request = referenceOf(phantom(rowsOfTiles * engine::maxTileEdge, 50));
        request.resources.threads = 1;
        ExactReference reference;
        int bands = 0;
        const auto result = reference.compute(
            request, [&](std::optional<double>) { ++bands; },
            [](engine::Stage stage, double, std::optional<double>) {
                if (stage == engine::Stage::backproject)
                    QThread::msleep(125);
            },
            {});
        QCOMPARE(bands, rowsOfTiles);
        QVERIFY(result->image.values == engine::Reconstructor().run(request).image.values);
    }

    // If bands grew more slowly than possible, starting them would take most of the time.
    void bandsAreFew()
    {
        const engine::Request request = referenceOf(phantom(16 * engine::maxTileEdge, 20)); // 21 MU
        ExactReference reference;
        const Outcome outcome = compute(reference, request, -1);
        QVERIFY(outcome.result->image.values == engine::Reconstructor().run(request).image.values);
        QVERIFY(outcome.bands > 1);  // the first band is one row of tiles, since the speed is still unknown
        QVERIFY(outcome.bands <= 5); // usually 2; more on a busy machine
    }

    void saysWhatIsWrong()
    {
        engine::Request request = referenceOf(phantom(32, 20));
        request.place.setSlices({7, 1});
        ExactReference reference;
        QVERIFY_EXCEPTION_THROWN(compute(reference, request, -1), engine::Error);
        QVERIFY(!reference.find(request));
    }
};

SINOSCOPE_TEST(ReferenceTest, QCoreApplication)
#include "exact_reference_test.moc"
