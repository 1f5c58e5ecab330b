// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of simulations: their text form, and the values that are refused.
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

class SimulationTest : public QObject
{
    Q_OBJECT

  private slots:
    void jsonRoundTrip()
    {
        for (Phantom phantom : phantoms())
            QCOMPARE(phantomFromText(toText(phantom)), phantom);
        Simulation simulation;
        simulation.phantom = Phantom::sheppLogan3dOriginal;
        simulation.size = 77;
        simulation.projections = 31;
        simulation.slices = 5;
        simulation.arcDeg = 360;
        simulation.photons = 12345.678;
        simulation.rings = 1.0 / 3;
        simulation.axisOffsetBins = -3.1;
        simulation.attenuation = .0123456789;
        simulation.sampling = Sampling::binMean;
        simulation.counts = false;
        simulation.seed = 0xfedcba9876543210u;
        QVERIFY(simulationFromJson(toJson(simulation)) == simulation);
        QVERIFY(Simulation().sampling == Sampling::ray);
        QVERIFY(simulationFromJson(toJson(Simulation())) == Simulation());
        for (const char* bad :
             {"", "{", "[]", "{\"phantom\": \"disc\"}", "{\"phantom\": \"cube\", \"size\": 4, \"projections\": 4}",
              "{\"phantom\": \"disc\", \"size\": 4, \"projections\": 4, \"sampling\": \"some\"}",
              "{\"phantom\": \"disc\", \"size\": 0, \"projections\": 4}",
              "{\"phantom\": \"disc\", \"size\": 4294967300, \"projections\": 4}",
              "{\"phantom\": \"disc\", \"size\": \"4\", \"projections\": 4}"}) {
            QVERIFY2(fails(ErrorKind::badFile, [&] { simulationFromJson(bad); }), bad);
        }
    }

    void badValuesAreNamed_data()
    {
        QTest::addColumn<QString>("member");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("named");
        QTest::newRow("no size") << "size" << 0.0 << "size is 0";
        QTest::newRow("absurd size") << "size" << 70000.0 << "size is 70000";
        QTest::newRow("no projections") << "projections" << 0.0 << "projections is 0";
        QTest::newRow("no slices") << "slices" << -1.0 << "slices is -1";
        QTest::newRow("arc") << "arc" << 200.0 << "arc is 200";
        QTest::newRow("arc NaN") << "arc" << double(NAN) << "arc is";
        QTest::newRow("photons") << "photons" << -5.0 << "photons is -5";
        QTest::newRow("photons NaN") << "photons" << double(NAN) << "photons is";
        QTest::newRow("rings") << "rings" << -.5 << "rings is -0.5";
        QTest::newRow("axis") << "axis" << 400.0 << "offset is 400";
        QTest::newRow("attenuation") << "attenuation" << double(INFINITY) << "attenuation is inf";
    }

    void badValuesAreNamed()
    {
        QFETCH(QString, member);
        QFETCH(double, value);
        QFETCH(QString, named);
        Simulation simulation;
        if (member == "size")
            simulation.size = static_cast<int>(value);
        else if (member == "projections")
            simulation.projections = static_cast<int>(value);
        else if (member == "slices")
            simulation.slices = static_cast<int>(value);
        else if (member == "arc")
            simulation.arcDeg = value;
        else if (member == "photons")
            simulation.photons = value;
        else if (member == "rings")
            simulation.rings = value;
        else if (member == "axis")
            simulation.axisOffsetBins = value;
        else if (member == "attenuation")
            simulation.attenuation = value;
        QVERIFY(fails(ErrorKind::badRequest, {named.toStdString()}, [&] { simulate(simulation); }));
    }
};

SINOSCOPE_TEST(SimulationTest, QCoreApplication)
#include "simulation_test.moc"
