// SPDX-License-Identifier: GPL-3.0-or-later
// Measured speeds: what `auto` makes of them, and their file.
#include "engine/backends/measured_speeds.h"
#include "engine/backends/support.h"
#include "engine/base/machine.h"
#include "engine/measure/tune.h"
#include "tests/fixtures.h"

#include <QTemporaryDir>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

using namespace engine;

class TuneTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_cache;

    static Request requestFor(int slices)
    {
        auto scan = std::make_shared<Scan>();
        scan->geometry = geometryKind("parallel").example;
        scan->rows = slices;
        Request request;
        request.scan = std::move(scan);
        request.resources.device.backend = "cpu";
        request.place.setSlices({0, slices});
        return request;
    }

    // As measured for `cpu` with linear interpolation in floats.
    static MeasuredSpeed speed(int slicesPerPass, double gups)
    {
        return {.device = processorName(),
                .geometry = "parallel",
                .method = "cpu",
                .slicesPerPass = slicesPerPass,
                .kernelGups = gups};
    }

  private slots:
    void init()
    {
        QVERIFY(m_cache.isValid());
        qputenv("XDG_CACHE_HOME", m_cache.path().toLocal8Bit());
        useMeasuredSpeeds({});
    }
    void cleanup() { useMeasuredSpeeds({}); }

    void theFastestModeIsTaken()
    {
        const int usual = slicesPerPassFor(requestFor(8));
        QVERIFY(usual > 2); // without measurements as many slices as there are
        useMeasuredSpeeds({speed(2, 30), speed(4, 20), speed(usual, 10)});
        QCOMPARE(slicesPerPassFor(requestFor(8)), 2);
        QCOMPARE(slicesPerPassFor(requestFor(1)), 1); // one slice doesn't fill that mode
        // Speeds of another device, geometry, precision or interpolation say nothing about this request.
        for (const auto change :
             {+[](MeasuredSpeed& s) { s.device = "another processor"; }, +[](MeasuredSpeed& s) { s.geometry = "cone"; },
              +[](MeasuredSpeed& s) { s.precision = Precision::half; },
              +[](MeasuredSpeed& s) { s.interpolation = Interpolation::cubic; }}) {
            std::vector<MeasuredSpeed> others{speed(2, 30), speed(usual, 10)};
            std::ranges::for_each(others, change);
            useMeasuredSpeeds(others);
            QCOMPARE(slicesPerPassFor(requestFor(8)), usual);
        }
        useMeasuredSpeeds({speed(2, 10.2), speed(usual, 10)}); // within the scatter of measurements
        QCOMPARE(slicesPerPassFor(requestFor(8)), usual);
        // Without a measurement of its own, the usual mode stays.
        useMeasuredSpeeds({speed(2, 30)});
        QCOMPARE(slicesPerPassFor(requestFor(8)), usual);
    }

    // A method like `cpu` with a variant that only divides the work otherwise, and one that doesn't.
    void aTuningIsTakenIfItIsClearlyFaster()
    {
        Method method = *findMethod("cpu");
        method.variants = [] {
            return std::vector<Variant>{{"wide", "wide tiles", {}, true}, {"coarse", "coarser weights", {}, false}};
        };
        const auto tuned = [](const char* variant, double gups) {
            MeasuredSpeed one = speed(1, gups);
            one.variant = variant;
            return one;
        };
        const Request request = requestFor(1);
        useMeasuredSpeeds({speed(1, 10), tuned("wide", 12), tuned("coarse", 20)});
        QCOMPARE(measuredVariant(method, request), std::string("wide"));
        QCOMPARE(measuredGups(method, request).value_or(0), 12.0);
        Request named = request;
        named.setting.kernel.method = "cpu"; // the user has chosen it as it is
        QVERIFY(measuredVariant(method, named).empty());
        named = request;
        named.setting.kernel.variant = "coarse";
        QVERIFY(measuredVariant(method, named).empty());
        const std::string json = measuredSpeedsJson(*measuredSpeeds());
        QCOMPARE(measuredSpeedsFrom(json).at(1).variant, std::string("wide"));
        useMeasuredSpeeds({speed(1, 10), tuned("wide", 10.2)}); // within the scatter
        QVERIFY(measuredVariant(method, request).empty());
        QCOMPARE(measuredGups(method, request).value_or(0), 10.0);
        useMeasuredSpeeds({tuned("wide", 12)}); // no default to compare with
        QVERIFY(measuredVariant(method, request).empty() && !measuredGups(method, request));
        useMeasuredSpeeds({speed(1, 10), tuned("wide", 12)});
        method.unsupported = [](const Request& one, const Machine&) {
            return one.setting.kernel.variant == "wide" ? std::optional<std::string>("not built") : std::nullopt;
        };
        QVERIFY(measuredVariant(method, request).empty());
    }

    void theFileIsKeptAndRemoved()
    {
        keepMeasuredSpeeds({speed(2, 30)});
        MeasuredSpeed cone = speed(4, 5);
        cone.geometry = "cone";
        keepMeasuredSpeeds({cone});
        keepMeasuredSpeeds({speed(4, 31)}); // replaces those of the same device and geometry
        QCOMPARE(measuredSpeeds()->size(), std::size_t(2));
        std::ifstream file(measuredSpeedsFile());
        const std::string written{std::istreambuf_iterator<char>(file), {}};
        QVERIFY(written.starts_with(measuredSpeedsJson(*measuredSpeeds())));
        forgetMeasuredSpeeds();
        QVERIFY(measuredSpeeds()->empty());
        QVERIFY(!std::filesystem::exists(measuredSpeedsFile()));
        forgetMeasuredSpeeds(); // again: there is nothing to remove
        QCOMPARE(::mkfifo(measuredSpeedsFile().c_str(), 0600), 0);
        QVERIFY(fixtures::fails(ErrorKind::output,
                                {measuredSpeedsFile().c_str(), "can't be removed: it is not a plain file"},
                                [] { forgetMeasuredSpeeds(); }));
        std::filesystem::remove(measuredSpeedsFile());
    }

    void everySettingIsMeasured()
    {
        BenchmarkOptions options;
        options.device.backend = "cpu";
        options.size = 16;
        options.projections = 4;
        options.repeat = 1;
        for (const char* geometry : {"parallel", "cone"}) {
            options.geometry = geometry;
            std::vector<double> shares;
            const auto speeds = measureSpeeds(
                options, {.onProgress = [&](double share, const std::string&) { shares.push_back(share); }});
            QVERIFY(shares.size() >= speeds.size()); // after each run
            QVERIFY(std::ranges::is_sorted(shares) && shares.front() >= 0 && shares.back() <= 1);
            QVERIFY(!speeds.empty());
            for (const MeasuredSpeed& one : speeds) {
                QCOMPARE(one.device, processorName());
                QCOMPARE(one.geometry, std::string(geometry));
                QVERIFY(one.kernelGups > 0);
            }
            const auto choices = tunedChoices(speeds, options.device);
            QVERIFY(!choices.empty() && choices.size() <= speeds.size());
            for (const TunedChoice& choice : choices) {
                QCOMPARE(choice.before, std::string("cpu"));
                QVERIFY(choice.afterGups >= choice.beforeGups && choice.beforeGups > 0);
            }
        }
    }
};

SINOSCOPE_TEST(TuneTest, QCoreApplication)
#include "tune_test.moc"
