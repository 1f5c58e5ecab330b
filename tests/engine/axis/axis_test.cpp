// SPDX-License-Identifier: GPL-3.0-or-later
// Finding the rotation axis of simulated scans, whose axis is known.
#include "engine/axis/axis.h"
#include "engine/prepare/prepare.h"
#include "engine/simulate/phantom.h"
#include "tests/fixtures.h"
#include "tests/rolled_scan.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

using namespace engine;
using namespace fixtures;
using std::numbers::pi;

namespace
{

struct SimulatedAxis {
    Sinograms sinograms;
    std::vector<double> anglesRad;
    double axis = 0;
};

SimulatedAxis make(const Simulation& simulation)
{
    const auto scan = simulate(simulation);
    const RawRows raw = scan->read({0, simulation.slices}, {});
    return {prepareRows(raw, scan->quantity, 0).sinograms, scan->anglesRad(), scan->axisBins().front()};
}

Simulation small(double arcDeg)
{
    Simulation simulation;
    simulation.size = 256;
    simulation.projections = arcDeg == 360 ? 360 : 180;
    simulation.arcDeg = arcDeg;
    return simulation;
}

// Returns a case with a selection of the projections, in the given order.
SimulatedAxis chosen(const SimulatedAxis& all, const std::vector<int>& projections)
{
    SimulatedAxis some;
    some.axis = all.axis;
    some.sinograms = all.sinograms;
    some.sinograms.projections = static_cast<int>(projections.size());
    some.sinograms.values.clear();
    const int bins = all.sinograms.bins;
    for (int projection : projections) {
        some.anglesRad.push_back(all.anglesRad[projection]);
        const auto from = all.sinograms.values.begin() + static_cast<std::ptrdiff_t>(projection) * bins;
        some.sinograms.values.insert(some.sinograms.values.end(), from, from + bins);
    }
    return some;
}

QString text(double found, double truth)
{
    return QString("found %1, true %2").arg(found).arg(truth);
}

} // namespace

class AxisTest : public QObject
{
    Q_OBJECT

  private slots:
    void simulatedScans_data();
    void simulatedScans();
    void otherPhantoms_data();
    void otherPhantoms();
    void oddSizesAndArcs_data();
    void oddSizesAndArcs();
    void anyOrderOfAngles();
    void severalSlices();
    void nothingToSee();
    void badRequests();
    void cancelling();
    void largeScans();
    void confidenceTellsRightFromWrong_data();
    void confidenceTellsRightFromWrong();
    void doubtsOfCutOffScans();
    void noiseDrawsItNowhere();
    void mereNoiseDrawsItNowhere();
    void tubesTurnAboutTheirMiddle();
};

void AxisTest::simulatedScans_data()
{
    QTest::addColumn<double>("arc");
    QTest::addColumn<double>("offset"); // as a fraction of the bins
    QTest::addColumn<double>("photons");
    QTest::addColumn<double>("rings");
    for (double arc : {180.0, 360.0})
        for (double offset : {-.2, -.15, -.1, -.05, 0.0, .05, .1, .15, .2}) {
            const QByteArray name = QByteArray::number(arc) + "°, " + QByteArray::number(offset * 100) + " %";
            QTest::newRow(name + ", clean") << arc << offset << 0.0 << 0.0;
            QTest::newRow(name + ", noise and rings") << arc << offset << 1e4 << .01;
        }
}

void AxisTest::simulatedScans()
{
    QFETCH(double, arc);
    QFETCH(double, offset);
    QFETCH(double, photons);
    QFETCH(double, rings);
    double largest = 0;
    for (std::uint64_t seed = 1; seed <= (photons > 0 ? 3u : 1u); ++seed) {
        Simulation simulation = small(arc);
        simulation.axisOffsetBins = offset * simulation.size + (offset > 0 ? -.3 : .3); // not at half bins
        simulation.photons = photons;
        simulation.rings = rings;
        simulation.seed = seed;
        const SimulatedAxis scan = make(simulation);
        const double found = searchAxis(scan.sinograms, scan.anglesRad, 0).bins;
        QVERIFY2(std::abs(found - scan.axis) < .25, qPrintable(text(found, scan.axis)));
        largest = std::max(largest, std::abs(found - scan.axis));
    }
    qInfo("error %.3f bins", largest);
}

void AxisTest::otherPhantoms_data()
{
    QTest::addColumn<int>("phantom");
    for (Phantom phantom : phantoms())
        QTest::newRow(toText(phantom).c_str()) << static_cast<int>(phantom);
}

void AxisTest::otherPhantoms()
{
    QFETCH(int, phantom);
    for (double arc : {180.0, 360.0}) {
        Simulation simulation = small(arc);
        simulation.phantom = static_cast<Phantom>(phantom);
        simulation.axisOffsetBins = -7.6;
        simulation.photons = 1e5;
        simulation.rings = .01;
        const SimulatedAxis scan = make(simulation);
        const double found = searchAxis(scan.sinograms, scan.anglesRad, 0).bins;
        QVERIFY2(std::abs(found - scan.axis) < .25, qPrintable(text(found, scan.axis)));
    }
}

void AxisTest::oddSizesAndArcs_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("projections"); // over 360°
    QTest::addColumn<double>("fromDeg");
    QTest::addColumn<double>("arcDeg");
    QTest::addColumn<double>("bound");
    QTest::newRow("full turn, odd count, so that no two are opposite") << 201 << 301 << 0.0 << 360.0 << .25;
    QTest::newRow("half a turn across 0°") << 201 << 360 << 270.0 << 180.0 << .25;
    QTest::newRow("half a turn, both ends") << 200 << 360 << 90.0 << 181.0 << .25;
    QTest::newRow("200°") << 200 << 360 << 10.0 << 200.0 << .25;
    QTest::newRow("270°") << 200 << 360 << 10.0 << 270.0 << .25;
    QTest::newRow("174°") << 200 << 360 << 0.0 << 174.0 << .5;
    QTest::newRow("120°") << 200 << 360 << 30.0 << 120.0 << .5;
    QTest::newRow("90°") << 200 << 360 << 30.0 << 90.0 << .5;
    QTest::newRow("few projections") << 64 << 40 << 0.0 << 180.0 << .5;
    QTest::newRow("tiny") << 11 << 30 << 0.0 << 180.0 << .5;
}

void AxisTest::oddSizesAndArcs()
{
    QFETCH(int, size);
    QFETCH(int, projections);
    QFETCH(double, fromDeg);
    QFETCH(double, arcDeg);
    QFETCH(double, bound);
    Simulation simulation;
    simulation.size = size;
    simulation.projections = projections;
    simulation.arcDeg = 360;
    simulation.axisOffsetBins = size > 20 ? 3.7 : .3; // the head still fits on the detector
    const SimulatedAxis all = make(simulation);
    std::vector<int> some;
    const int count = static_cast<int>(std::lround(projections * arcDeg / 360));
    const int first = static_cast<int>(std::lround(projections * fromDeg / 360));
    for (int i = 0; i < count; ++i)
        some.push_back((first + i) % projections);
    const SimulatedAxis scan = chosen(all, some);
    const double found = searchAxis(scan.sinograms, scan.anglesRad, 0).bins;
    QVERIFY2(std::abs(found - scan.axis) < bound, qPrintable(text(found, scan.axis)));
}

void AxisTest::anyOrderOfAngles()
{
    Simulation simulation = small(180);
    simulation.axisOffsetBins = 20.4;
    const SimulatedAxis inOrder = make(simulation);
    std::vector<int> order(inOrder.anglesRad.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<int>(i * 77 % order.size());
    SimulatedAxis mixed = chosen(inOrder, order);
    const double expected = searchAxis(inOrder.sinograms, inOrder.anglesRad, 0).bins;
    QVERIFY(std::abs(searchAxis(mixed.sinograms, mixed.anglesRad, 0).bins - expected) < 1e-6);
    // Angles that differ by whole turns, and negative angles, are the same directions.
    for (std::size_t i = 0; i < mixed.anglesRad.size(); ++i)
        mixed.anglesRad[i] += i % 3 * 2 * pi - 4 * pi;
    QVERIFY(std::abs(searchAxis(mixed.sinograms, mixed.anglesRad, 0).bins - expected) < 1e-6);
    // Each angle may also occur three times.
    std::vector<int> thrice;
    for (int i = 0; i < 3 * static_cast<int>(order.size()); ++i)
        thrice.push_back(i / 3);
    const SimulatedAxis repeated = chosen(inOrder, thrice);
    QVERIFY(std::abs(searchAxis(repeated.sinograms, repeated.anglesRad, 0).bins - inOrder.axis) < .25);
}

void AxisTest::severalSlices()
{
    Simulation simulation = small(180);
    simulation.phantom = Phantom::sheppLogan3d; // the first and last rows are empty
    simulation.slices = 21;
    simulation.axisOffsetBins = -11.2;
    simulation.photons = 5000;
    simulation.rings = .01;
    const SimulatedAxis scan = make(simulation);
    const double all = searchAxis(scan.sinograms, scan.anglesRad, 0).bins;
    QVERIFY2(std::abs(all - scan.axis) < .25, qPrintable(text(all, scan.axis)));
    QCOMPARE(searchAxis(scan.sinograms, scan.anglesRad, 1).bins, all);
}

// A scan of air has no axis: any position on the detector is accepted, but it must be on the detector.
void AxisTest::nothingToSee()
{
    for (float value : {0.f, 1.f})
        for (double arc : {100.0, 180.0, 360.0}) {
            Sinograms empty{1, 90, 64, Values(90 * 64, value)};
            const double found = searchAxis(empty, evenAngles(90, arc * pi / 180), 0).bins;
            QVERIFY2(found >= 0 && found <= 63, qPrintable(QString::number(found)));
        }
}

void AxisTest::badRequests()
{
    const SimulatedAxis scan = make(small(180));
    const auto refused = [](const Sinograms& sinograms, const std::vector<double>& angles, const char* word) {
        return fails(ErrorKind::badRequest, {word}, [&] { searchAxis(sinograms, angles, 0).bins; });
    };
    const SimulatedAxis two = chosen(scan, {0, 90});
    QVERIFY(refused(two.sinograms, two.anglesRad, "2 projections"));
    std::vector<int> firstHalf(80);
    std::iota(firstHalf.begin(), firstHalf.end(), 0);
    const SimulatedAxis narrow = chosen(scan, firstHalf);
    QVERIFY(refused(narrow.sinograms, narrow.anglesRad, "90°"));
    QVERIFY(refused(scan.sinograms, two.anglesRad, "2 angles"));
    std::vector<double> angles = scan.anglesRad;
    angles[5] = NAN;
    QVERIFY(refused(scan.sinograms, angles, "not a number"));
    QVERIFY(refused({}, {}, "0 projections"));
}

void AxisTest::cancelling()
{
    const SimulatedAxis scan = make(small(180));
    std::stop_source source;
    source.request_stop();
    QVERIFY(
        fails(ErrorKind::cancelled, [&] { searchAxis(scan.sinograms, scan.anglesRad, 0, source.get_token()).bins; }));
}

// Scans of the largest usual width and number of projections.
void AxisTest::largeScans()
{
    for (int size : {640, 2048})
        for (double arc : {180.0, 360.0}) {
            Simulation simulation;
            simulation.size = size;
            simulation.projections = size == 640 ? 181 : 2048;
            simulation.arcDeg = arc;
            simulation.axisOffsetBins = .1 * size;
            simulation.counts = false;
            const SimulatedAxis scan = make(simulation);
            const double found = searchAxis(scan.sinograms, scan.anglesRad, 1).bins;
            QVERIFY2(std::abs(found - scan.axis) < .25, qPrintable(text(found, scan.axis)));
        }
}

void AxisTest::confidenceTellsRightFromWrong_data()
{
    QTest::addColumn<int>("projections");
    QTest::addColumn<double>("arc");
    QTest::addColumn<double>("photons");
    QTest::addColumn<double>("offset");
    QTest::newRow("clean") << 180 << 180.0 << 0.0 << 3.3;
    QTest::newRow("noise") << 180 << 180.0 << 1e3 << 3.3;
    QTest::newRow("16 projections") << 16 << 180.0 << 0.0 << 3.3;
    QTest::newRow("60 projections, noise") << 60 << 180.0 << 1e3 << -20.7;
    QTest::newRow("half acquisition") << 360 << 360.0 << 1e3 << 100.0;
    for (const int few : {3, 4, 5, 8})
        QTest::addRow("%d projections", few) << few << 180.0 << 0.0 << 3.3;
}

// The axis is found in all of these complete scans. The result is reported as doubtful if there are fewer than 16
// projections, and only then.
void AxisTest::confidenceTellsRightFromWrong()
{
    QFETCH(int, projections);
    QFETCH(double, arc);
    QFETCH(double, photons);
    QFETCH(double, offset);
    Simulation simulation = small(arc);
    simulation.projections = projections;
    simulation.photons = photons;
    simulation.axisOffsetBins = offset;
    const SimulatedAxis scan = make(simulation);
    const AxisFound found = searchAxis(scan.sinograms, scan.anglesRad, 0);
    qInfo("%s: %.2f, true %.2f, confidence %.2f; %s", found.how.c_str(), found.bins, scan.axis, *found.confidence,
          found.doubt.plain().c_str());
    QVERIFY(std::abs(found.bins - scan.axis) < .25);
    QCOMPARE(found.doubt.empty(), projections >= 16);
    QVERIFY(*found.confidence > .5);
}

// A detector that sees only a part of a head, with 4 and with 180 projections: results that are wrong by half a bin or
// more are reported as doubtful.
void AxisTest::doubtsOfCutOffScans()
{
    int wrong = 0;
    for (const int projections : {4, 180})
        for (const int from : {40, 110}) {
            Simulation simulation = small(180);
            simulation.projections = projections;
            const SimulatedAxis all = make(simulation);
            SimulatedAxis cut = all;
            constexpr int width = 26;
            cut.axis -= from;
            cut.sinograms.bins = width;
            cut.sinograms.values.clear();
            for (int p = 0; p < projections; ++p) {
                const auto first = all.sinograms.values.begin() + static_cast<std::ptrdiff_t>(p) * 256 + from;
                cut.sinograms.values.insert(cut.sinograms.values.end(), first, first + width);
            }
            const AxisFound found = searchAxis(cut.sinograms, cut.anglesRad, 0);
            qInfo("%d projections from bin %d: %.2f, true %.2f, confidence %.2f", projections, from, found.bins,
                  cut.axis, *found.confidence);
            const bool right = std::abs(found.bins - cut.axis) < .5;
            wrong += !right;
            QVERIFY(right || (!found.doubt.empty() && *found.confidence < .5));
        }
    QVERIFY(wrong > 0);
}

// With much noise, the error of the axis is random. Regression: linear interpolation between two bins reduces noise
// most halfway, so that quarters of a bin were preferred and the axis was three times as far off.
void AxisTest::noiseDrawsItNowhere()
{
    constexpr int scans = 60;
    double squares = 0, preferred = 0;
    for (int k = 0; k < scans; ++k) {
        RolledScan rolled{.bins = 128, .rows = 40, .projections = 180};
        rolled.axisBins = 60 + k * 0.123;
        std::mt19937 generator(static_cast<unsigned>(k));
        std::normal_distribution<double> noise(0, 0.1);
        const auto objects = rolled.ellipsoids();
        const std::vector<double> angles = evenAngles(180, 2 * pi);
        Sinograms row{1, 180, 128, {}};
        for (const double angle : angles)
            for (int bin = 0; bin < 128; ++bin)
                row.values.push_back(
                    static_cast<float>(rolled.integral(objects, angle, bin - rolled.axisBins, 3.3) + noise(generator)));
        const double found = searchAxis(row, angles, 0).bins;
        squares += (found - rolled.axisBins) * (found - rolled.axisBins) / scans;
        preferred += std::cos(4 * pi * found) / scans;
    }
    qInfo("off by %.4f bins, quarters preferred by %.2f", std::sqrt(squares), -preferred);
    QVERIFY(std::sqrt(squares) < 0.045);
    QVERIFY(std::abs(preferred) < 0.35);
}

// The same of noise alone, where all axes are equally good. Interpolation halfway between two bins takes away 3 % of
// the blurred noise: if the mismatch weren't normalised, nearly all axes would be at quarters of a bin, with a mean of
// 0.98.
void AxisTest::mereNoiseDrawsItNowhere()
{
    constexpr int scans = 60, bins = 512, projections = 128;
    double preferred = 0;
    for (int k = 0; k < scans; ++k) {
        std::mt19937 generator(static_cast<unsigned>(k));
        std::normal_distribution<float> noise;
        Sinograms row{1, projections, bins, Values(std::size_t(projections) * bins)};
        for (float& value : row.values)
            value = noise(generator);
        const auto found = matchOppositeViews(row, evenAngles(projections, 2 * pi), 0, {});
        QVERIFY(found);
        preferred += std::cos(4 * pi * found->bins) / scans;
    }
    qInfo("quarters preferred by %.3f", -preferred);
    QVERIFY(std::abs(preferred) < 0.5);
}

// Each wall of a tube matches itself as well as the other one: as an axis near the end of the detector is unlikely, it
// is the one between the walls that counts.
void AxisTest::tubesTurnAboutTheirMiddle()
{
    constexpr int bins = 128, projections = 180;
    constexpr double walls[] = {14.5, 115};
    const std::vector<double> angles = evenAngles(projections, 2 * pi);
    Sinograms tube{1, projections, bins, {}};
    for (const double angle : angles)
        for (int bin = 0; bin < bins; ++bin) {
            double value = 0;
            for (const double wall : walls)
                value += (1 + 0.5 * std::cos(2 * angle)) * std::exp(-(bin - wall) * (bin - wall) / 8);
            tube.values.push_back(static_cast<float>(value));
        }
    const auto found = matchOppositeViews(tube, angles, 0, {});
    QVERIFY(found);
    QVERIFY2(std::abs(found->bins - 64.75) < 0.05, qPrintable(text(found->bins, 64.75)));
}

SINOSCOPE_TEST(AxisTest, QCoreApplication)
#include "axis_test.moc"
