// SPDX-License-Identifier: GPL-3.0-or-later
// Finding the central ray of simulated fans and cones from rays that were measured from both sides.
#include "engine/axis/axis.h"
#include "engine/prepare/prepare.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

ConeBeam orbitOf(int bins, int rows, int projections, double arcDeg, double halfAngleDeg, double offsetBins)
{
    ConeOptions options;
    options.sourceAxisMm = bins / 2.0 / std::tan(halfAngleDeg * degree);
    options.sourceDetectorMm = *options.sourceAxisMm * 2;
    options.pixelUMm = 2;
    ConeBeam beam = coneBeamFrom(options, bins, rows, evenAngles(projections, arcDeg * degree), "test");
    beam.axisBins = {beam.middleBins() + offsetBins};
    return beam;
}

Sinograms rowOf(const Scan& scan)
{
    return prepareRows(scan.read(axisRowOf(scan), {}), scan.quantity, 0).sinograms;
}

double found(const Simulation& simulation, const ConeBeam& beam)
{
    const auto scan = simulate(simulation, beam);
    return searchAxis(rowOf(*scan), scan->geometry, 0).bins;
}

} // namespace

class ConeAxisTest : public QObject
{
    Q_OBJECT

  private slots:
    void simulatedScans_data();
    void simulatedScans();
    void noiseAndRings();
    void anyOrderAndTurns();
    void rowOfTheCentralRay();
    void lookedForWhereTheScanSaysIt();
    void refusals();
};

void ConeAxisTest::simulatedScans_data()
{
    QTest::addColumn<double>("arcDeg");
    QTest::addColumn<double>("halfAngleDeg");
    QTest::addColumn<double>("offsetBins");
    for (const double halfAngleDeg : {1.0, 5.0, 15.0})
        for (const double arcDeg : {360.0, -360.0, 184 + 2 * halfAngleDeg, -(184 + 2 * halfAngleDeg), 300.0})
            for (const double offsetBins : {-23.4, -7.25, 0.0, 0.3, 11.9, 30.1}) {
                const QString name = QString("%1°, fan ±%2°, %3 bins").arg(arcDeg).arg(halfAngleDeg).arg(offsetBins);
                QTest::newRow(qPrintable(name)) << arcDeg << halfAngleDeg << offsetBins;
            }
}

void ConeAxisTest::simulatedScans()
{
    QFETCH(double, arcDeg);
    QFETCH(double, halfAngleDeg);
    QFETCH(double, offsetBins);
    const int projections = static_cast<int>(std::abs(arcDeg));
    Simulation simulation;
    simulation.counts = false;
    const ConeBeam beam = orbitOf(256, 1, projections, arcDeg, halfAngleDeg, offsetBins);
    const double error = found(simulation, beam) - beam.axisBins.front();
    qInfo("error %.3f bins", error);
    QVERIFY(std::abs(error) < 0.1);
}

void ConeAxisTest::noiseAndRings()
{
    for (const double arcDeg : {360.0, 200.0})
        for (const double offsetBins : {-17.6, 4.2}) {
            Simulation simulation;
            simulation.phantom = Phantom::sheppLogan3d;
            simulation.photons = 1e4;
            simulation.rings = .01;
            const ConeBeam beam = orbitOf(256, 8, static_cast<int>(arcDeg), arcDeg, 5, offsetBins);
            const double error = found(simulation, beam) - beam.axisBins.front();
            qInfo("error %.3f bins", error);
            QVERIFY(std::abs(error) < 0.25);
        }
}

void ConeAxisTest::anyOrderAndTurns()
{
    ConeBeam beam = orbitOf(256, 1, 900, 900, 5, 9.3);
    Simulation simulation;
    simulation.counts = false;
    QVERIFY(std::abs(found(simulation, beam) - beam.axisBins.front()) < 0.1);
    beam = orbitOf(256, 1, 360, 360, 5, 9.3);
    for (std::size_t k = 0; k < 360; ++k)
        beam.anglesRad[k] = static_cast<double>(k * 77 % 360) * degree;
    QVERIFY(std::abs(found(simulation, beam) - beam.axisBins.front()) < 0.1);
}

void ConeAxisTest::rowOfTheCentralRay()
{
    ConeBeam beam = orbitOf(64, 40, 90, 360, 5, 0);
    beam.centralRow = 11.4;
    Scan scan = *simulate(Simulation(), beam);
    QVERIFY((axisRowOf(scan) == RowRange{11, 1}));
    beam.centralRow = -0.5;
    scan.geometry = beam;
    QVERIFY((axisRowOf(scan) == RowRange{0, 1}));
    QVERIFY((axisRowOf(*smallScan(64, 90, 5)) == RowRange{2, 1}));
}

// `--axis find` searches even if the scan specifies a position, which is wrong here.
void ConeAxisTest::lookedForWhereTheScanSaysIt()
{
    const ConeBeam beam = orbitOf(128, 1, 240, 360, 5, 6.3);
    Simulation simulation;
    simulation.counts = false;
    Simulation parallel = simulation;
    parallel.size = 128;
    parallel.axisOffsetBins = 6.3;
    for (const auto& truth : {simulate(simulation, beam), simulate(parallel)}) {
        auto wrong = std::make_shared<Scan>(*truth);
        wrong->geometry = withAxis(truth->geometry, 60);
        Request request = requestFor(wrong, "exact");
        QCOMPARE(Reconstructor().run(request).axisBins, 60.0);
        request.setting.axis = axisFromText("find");
        QCOMPARE(toText(request.setting.axis), std::string("find"));
        const Reconstruction made = Reconstructor().run(request);
        QCOMPARE(made.axisSource, std::string("automatic"));
        QVERIFY(std::abs(made.axisBins - 69.8) < 0.25);
    }
}

void ConeAxisTest::refusals()
{
    const auto refused = [](const ConeBeam& beam, const std::vector<std::string>& words) {
        return fails(ErrorKind::badRequest, words, [&] { found(Simulation(), beam); });
    };
    QVERIFY(refused(orbitOf(128, 1, 180, 180, 10, 0), {"179°", "189.9°", "±9.9°", "give it"}));
    QVERIFY(refused(orbitOf(128, 1, 90, 90, 10, 0), {"give it"}));
    QVERIFY(refused(orbitOf(128, 1, 2, 360, 10, 0), {"2 projections"}));
    ConeBeam matrices = orbitOf(128, 1, 180, 360, 10, 0);
    matrices.matrices = projectionMatrices(matrices);
    QVERIFY(refused(matrices, {"projection matrices"}));
    // An almost parallel fan needs only half a turn.
    ConeBeam narrow = orbitOf(128, 1, 180, 180, 0.1, 5.2);
    QVERIFY(std::abs(found(Simulation(), narrow) - narrow.axisBins.front()) < 0.25);
    const auto scan = simulate(Simulation(), orbitOf(128, 1, 180, 360, 10, 0));
    std::stop_source source;
    source.request_stop();
    QVERIFY(fails(ErrorKind::cancelled, [&] { searchAxis(rowOf(*scan), scan->geometry, 0, source.get_token()).bins; }));
}

SINOSCOPE_TEST(ConeAxisTest, QCoreApplication)
#include "cone_axis_test.moc"
