// SPDX-License-Identifier: GPL-3.0-or-later
// A tilted rotation axis: the step that turns projections back gives the projections of an upright detector; the slices
// are as good as with an upright axis; and the tilt is found from several rows with a confidence that distinguishes
// right results from wrong ones.
#include "engine/axis/tilt.h"
#include "engine/compare/metrics.h"
#include "engine/options/options.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/stages/stages.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/fixtures.h"
#include "tests/rolled_scan.h"

#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

Request tiltRequest(const std::shared_ptr<const Scan>& scan, double tiltDeg)
{
    Request request = requestFor(scan);
    setField(option("axis-tilt"), request, std::to_string(tiltDeg));
    return request;
}

// Returns the RMSE of a slice that has the axis in its middle.
double rmseOfRolled(const RolledScan& rolled, const std::shared_ptr<const Scan>& scan, int row, double tiltDeg)
{
    Request request = tiltRequest(scan, tiltDeg);
    request.place.setSlices({row, 1});
    const double middle = (rolled.bins - 1) / 2.0, rad = rolled.tiltDeg * degree;
    request.setting.axis = {AxisSettings::Mode::given, middle + (rolled.axisBins - middle) * std::cos(rad)};
    Mask mask;
    mask.discRadius = 0.9;
    return compareImages(Reconstructor().run(request).image.values, rolled.slice(row), rolled.bins, rolled.bins, mask)
        .rmse;
}

// Adds normal noise of this standard deviation to the line integrals.
std::shared_ptr<const Scan> withNoise(const std::shared_ptr<const Scan>& scan, double deviation)
{
    auto noisy = std::make_shared<Scan>(*scan);
    noisy->read = [scan, deviation](RowRange rows, std::stop_token stop) {
        RawRows raw = scan->read(rows, std::move(stop));
        std::mt19937 generator(static_cast<unsigned>(rows.first + 1));
        std::normal_distribution<float> noise; // of 1, as the deviation may be 0, which no distribution may have
        for (float& value : raw.data.floats())
            value += static_cast<float>(deviation) * noise(generator);
        return raw;
    };
    return noisy;
}

// Adds noise that does not depend on which rows are read together.
std::shared_ptr<const Scan> withNoiseOf(const RolledScan& rolled, double deviation, unsigned seed)
{
    auto noisy = std::make_shared<Scan>(*rolled.scan());
    auto all = std::make_shared<RawRows>(noisy->read({0, rolled.rows}, {}));
    std::mt19937 generator(seed);
    std::normal_distribution<float> noise(0, static_cast<float>(deviation));
    for (float& value : all->data.floats())
        value += noise(generator);
    noisy->read = [all](RowRange rows, std::stop_token) {
        RawRows raw = *all;
        raw.rows = rows;
        Values some;
        const std::size_t bins = raw.bins, frame = bins * all->rows.count;
        for (int p = 0; p < raw.projections; ++p) {
            const float* from = all->data.floats().data() + p * frame + rows.first * bins;
            some.insert(some.end(), from, from + rows.count * bins);
        }
        raw.data = Samples(std::move(some));
        return raw;
    };
    return noisy;
}

} // namespace

class TiltTest : public QObject
{
    Q_OBJECT

  private slots:
    // Projections that are linear in bins and rows are turned exactly, as their formula shows.
    void planesAreTurned()
    {
        constexpr int planeRows = 31, planeBins = 40;
        const double rad = 3 * degree;
        const auto recorded = [](int p, double x, double y) { return 2 + p + 0.03 * x * (p + 1) - 0.05 * y; };
        RawRows raw;
        raw.rows = {0, planeRows};
        raw.bins = planeBins;
        raw.projections = 3;
        Values values;
        for (int p = 0; p < 3; ++p)
            for (int row = 0; row < planeRows; ++row)
                for (int bin = 0; bin < planeBins; ++bin)
                    values.push_back(static_cast<float>(recorded(p, bin - 19.5, row - 15.0)));
        raw.data = Samples(std::move(values));
        PreparationSettings settings;
        settings.values["axis-tilt"] = 3;
        const Preparation preparation = preparationOf(Quantity::attenuation, settings, {}, {}, planeBins, planeRows);
        const Prepared turned = prepareRows(raw, Quantity::attenuation, preparation, 2, {}, RowRange{10, 11});
        QCOMPARE(turned.sinograms.slices, 11);
        for (int row = 0; row < 11; ++row)
            for (int p = 0; p < 3; ++p)
                for (int bin = 4; bin < planeBins - 4; ++bin) {
                    const double u = bin - 19.5, v = row + 10 - 15.0;
                    const double expected =
                        recorded(p, u * std::cos(rad) - v * std::sin(rad), u * std::sin(rad) + v * std::cos(rad));
                    const float value = turned.sinograms.values[std::size_t(row * 3 + p) * planeBins + bin];
                    QVERIFY2(std::abs(value - expected) < 1e-5, qPrintable(QString::number(value - expected)));
                }
        QVERIFY(mentions(turned.notes, "turned by 3°"));
    }

    // The rows beside a slice are read, used and dropped: a slice reconstructed alone equals the same slice of all
    // rows, bit for bit.
    void slicesAreTheSameAlone()
    {
        const RolledScan rolled{.bins = 40, .rows = 50, .projections = 30, .tiltDeg = -4};
        Request request = tiltRequest(rolled.scan(), -4);
        const Preparation preparation = preparationOf(request);
        QVERIFY(haloOf(preparation) >= 4 && haloOf(preparation) < 8);
        const Values all =
            prepareRows(request.scan->read({0, 50}, {}), Quantity::attenuation, preparation, 2).sinograms.values;
        for (const int row : {0, 3, 25, 49}) {
            const RowRange one{row, 1};
            const RawRows raw = request.scan->read(withHalo(one, preparation, 50), {});
            const Values alone = prepareRows(raw, Quantity::attenuation, preparation, 1, {}, one).sinograms.values;
            QVERIFY(std::equal(alone.begin(), alone.end(), all.begin() + row * 30 * 40));
        }
    }

    void slicesAreAsGoodAsUpright_data()
    {
        QTest::addColumn<double>("tiltDeg");
        for (const double tiltDeg : {0.5, -2.0})
            QTest::addRow("%g degrees", tiltDeg) << tiltDeg;
    }

    void slicesAreAsGoodAsUpright()
    {
        QFETCH(double, tiltDeg);
        RolledScan upright, rolled;
        rolled.tiltDeg = tiltDeg;
        const auto stands = upright.scan(), leans = rolled.scan();
        for (const int row : {14, 40, 66}) { // away from the very tips of the ellipsoids
            const double without = rmseOfRolled(upright, stands, row, 0),
                         corrected = rmseOfRolled(rolled, leans, row, tiltDeg),
                         left = rmseOfRolled(rolled, leans, row, 0), wrong = rmseOfRolled(rolled, leans, row, -tiltDeg);
            const QString said = QString("row %1: %2 upright, %3 corrected, %4 left, %5 the wrong way")
                                     .arg(row)
                                     .arg(without)
                                     .arg(corrected)
                                     .arg(left)
                                     .arg(wrong);
            qInfo("%s", qPrintable(said));
            // The interpolation between bins blurs sharp edges a little.
            QVERIFY2(corrected < 1.15 * without, qPrintable(said));
            // Row 40 is the middle one, in which a tilt has little effect.
            QVERIFY2(row == 40 || (wrong > 1.3 * without && left > 1.3 * without), qPrintable(said));
        }
    }

    void isFound_data()
    {
        QTest::addColumn<double>("tiltDeg");
        QTest::addColumn<double>("noise");
        QTest::addColumn<double>("emptyAbove");
        QTest::newRow("none") << 0.0 << 0.0 << 0.0;
        QTest::newRow("the other way") << -0.6 << 0.0 << 0.0;
        QTest::newRow("much") << 3.0 << 0.0 << 0.0;
        QTest::newRow("noise") << 0.4 << 0.01 << 0.0;
        QTest::newRow("above the object") << 0.4 << 0.003 << 0.35;
    }

    void isFound()
    {
        QFETCH(double, tiltDeg);
        QFETCH(double, noise);
        QFETCH(double, emptyAbove);
        RolledScan rolled{.bins = 192, .rows = 160, .projections = 90};
        rolled.axisBins = 99.5;
        rolled.tiltDeg = tiltDeg;
        rolled.emptyAbove = emptyAbove;
        const auto scan = withNoise(rolled.scan(), noise);
        const AxisTilt found = findAxisTilt(tiltRequest(scan, 1)); // the request's earlier tilt does not matter
        const double error = found.tiltRad / degree - tiltDeg;
        const double middle = (rolled.bins - 1) / 2.0;
        const double axisError = found.bins - middle - (rolled.axisBins - middle) * std::cos(tiltDeg * degree);
        const QString said = QString("tilt off by %1° ± %2°, axis by %3, confidence %4 %5")
                                 .arg(error)
                                 .arg(found.uncertaintyRad / degree)
                                 .arg(axisError)
                                 .arg(found.confidence)
                                 .arg(QString::fromStdString(found.doubt.plain()));
        qInfo("%s", qPrintable(said));
        QVERIFY2(std::abs(error) < 0.02, qPrintable(said));
        QVERIFY2(std::abs(axisError) < 0.1, qPrintable(said));
        QVERIFY2(found.confidence >= sureAxis && found.doubt.empty(), qPrintable(said));
        QVERIFY2(std::abs(error) < 5 * found.uncertaintyRad / degree + 0.005, qPrintable(said));
        QCOMPARE(found.rows.size(), std::size_t(standardTiltRows));
    }

    // The error of the tilt is at most the stated error in 68 % of the scans or more, as for one standard deviation,
    // whatever the noise is, and the confidence falls as the noise grows. More scans, with other objects, are in
    // tests/bench/results/tilt-uncertainty.md.
    void statedErrorIsHonest()
    {
        int scans = 0, within = 0, withinThree = 0;
        double confidenceBefore = 1, worstSure = 0;
        for (const double noise : {0.003, 0.03, 0.1}) {
            double confidence = 0;
            for (unsigned seed = 1; seed <= 8; ++seed) {
                RolledScan rolled{.bins = 96, .rows = seed % 2 ? 96 : 48, .projections = 60};
                rolled.axisBins = 44 + seed * 0.77;
                rolled.tiltDeg = 1.9 * std::sin(seed * 2.3);
                const AxisTilt found = findAxisTilt(requestFor(withNoiseOf(rolled, noise, seed)));
                const double error = std::abs(found.tiltRad / degree - rolled.tiltDeg);
                const double stated = found.uncertaintyRad / degree;
                ++scans;
                within += error <= stated;
                withinThree += error <= 3 * stated;
                confidence += found.confidence / 8;
                if (found.confidence >= sureAxis)
                    worstSure = std::max(worstSure, error);
            }
            qInfo("noise %.3f: mean confidence %.2f", noise, confidence);
            QVERIFY2(confidence < confidenceBefore, qPrintable(QString::number(confidence)));
            confidenceBefore = confidence;
        }
        qInfo("of %d scans %d within the stated error, %d within three of it; %.3f° off where sure", scans, within,
              withinThree, worstSure);
        QVERIFY(within >= 0.68 * scans);
        QVERIFY(withinThree >= 0.99 * scans);
        QVERIFY(worstSure < 0.2);
    }

    // A scan of noise only, and an object that is visible in few rows only.
    void isDoubtedWhereItIsNotToBeHad()
    {
        RolledScan rolled;
        const auto scan = rolled.scan();
        auto nothing = std::make_shared<Scan>(*scan);
        nothing->read = [scan](RowRange rows, std::stop_token stop) {
            RawRows raw = scan->read(rows, std::move(stop));
            std::mt19937 generator(static_cast<unsigned>(rows.first));
            std::normal_distribution<float> noise(0, 1);
            for (float& value : raw.data.floats())
                value = noise(generator);
            return raw;
        };
        const AxisTilt found = findAxisTilt(requestFor(nothing));
        QVERIFY2(found.confidence < sureAxis && contains(found.doubt, "doubtful"),
                 qPrintable(QString::number(found.confidence)));
        rolled.emptyAbove = 0.85;
        const AxisTilt few = findAxisTilt(requestFor(withNoise(rolled.scan(), 0.003)));
        QVERIFY2(few.confidence < sureAxis && !few.doubt.empty(), qPrintable(QString::number(few.confidence)));
    }

    void whatHasNoTiltIsRefused()
    {
        QVERIFY(
            fails(ErrorKind::badRequest, {"at least 3 rows", "has 1"}, [] { findAxisTilt(requestFor(smallScan())); }));
        Simulation cone;
        cone.size = cone.slices = 24;
        cone.projections = 30;
        cone.arcDeg = 360;
        cone.phantom = Phantom::sheppLogan3d;
        cone.cone.emplace();
        cone.cone->sourceAxisMm = 100;
        cone.cone->sourceDetectorMm = 150;
        cone.cone->pixelUMm = 1;
        Request request = requestFor(simulate(cone));
        QVERIFY(fails(ErrorKind::badRequest, {"parallel beam"}, [&] { findAxisTilt(request); }));
        // The option has no meaning and no effect for a cone beam.
        setField(option("axis-tilt"), request, "2");
        const auto reason = option("axis-tilt").idle(request);
        QVERIFY(reason && contains(*reason, "roll"));
        QVERIFY(preparationSettingsOf(request) == PreparationSettings());
        QVERIFY(fails(ErrorKind::cancelled, [] {
            std::stop_source source;
            source.request_stop();
            findAxisTilt(requestFor(RolledScan{.bins = 32, .rows = 8, .projections = 20}.scan()), 3, {},
                         source.get_token());
        }));
    }
};

SINOSCOPE_TEST(TiltTest, QCoreApplication)
#include "tilt_test.moc"
