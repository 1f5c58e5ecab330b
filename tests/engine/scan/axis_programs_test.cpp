// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of the rotation axis as other programs define them: each program's geometry is applied to a disc on the
// axis, whose projections are symmetric about the axis.
#include "engine/prepare/prepare.h"
#include "engine/request/setting.h"
#include "engine/scan/axis_programs.h"
#include "tests/fixtures.h"

#include <complex>
#include <numbers>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr double offset = 4.3;

// Line integrals of a disc in the middle of the slice, with the axis away from the detector's middle
struct OnAxis {
    std::vector<double> line;
    double axis = 0;

    explicit OnAxis(int bins)
    {
        Simulation simulation;
        simulation.phantom = Phantom::disc;
        simulation.size = bins;
        simulation.projections = 8;
        simulation.axisOffsetBins = offset;
        simulation.counts = false;
        const auto scan = simulate(simulation);
        const RawRows raw = scan->read({0, 1}, {});
        const Values values = prepareRows(raw, scan->quantity, 0).sinograms.values;
        line.assign(values.begin(), values.begin() + bins);
        axis = scan->axisBins().front();
    }
};

// Returns the distance of bin `bin` from the axis in the other program's geometry.
using FromAxis = double (*)(double bin, double theirs, int bins);

// ASTRA: bins are centred on the middle of the detector, which geom_postalignment shifts.
double byAstra(double bin, double theirs, int bins)
{
    return theirs + bin - (bins - 1) / 2.0;
}
// tomopy's art.c and similar: the ray of bin d is at (1 − n)/2 + d + mov, with mov = (n − 1)/2 − center + 1/2.
double byTomopysIterative(double bin, double theirs, int bins)
{
    const double mov = (bins - 1) / 2.0 - theirs + 0.5;
    return (1 - bins) / 2.0 + bin + mov;
}
// nabu: distance from the position of the axis, whose default is (width − 1)/2.
double byNabu(double bin, double theirs, int)
{
    return bin - theirs;
}
// tomocupy: the filter shifts lines by n/2 − center, and the slice rotates about n/2.
double byTomocupy(double bin, double theirs, int bins)
{
    return bin + (bins / 2.0 - theirs) - bins / 2.0;
}

} // namespace

class AxisProgramsTest : public QObject
{
    Q_OBJECT

  private slots:
    void aDiscOnTheAxisLiesThere_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<void*>("fromAxis");
        const std::vector<std::pair<const char*, FromAxis>> rows = {
            {"astra", byAstra}, {"tomopy-iterative", byTomopysIterative}, {"nabu", byNabu}, {"tomocupy", byTomocupy}};
        for (const auto& [id, fromAxis] : rows)
            QTest::newRow(id) << QByteArray(id) << reinterpret_cast<void*>(fromAxis);
    }

    void aDiscOnTheAxisLiesThere()
    {
        QFETCH(QByteArray, id);
        QFETCH(void*, fromAxis);
        for (const int bins : {200, 201}) {
            const OnAxis disc(bins);
            const AxisProgram* program = findAxisProgram(id.toStdString());
            QVERIFY(program);
            const double theirs = axisOf(*program, disc.axis, bins);
            double mass = 0, moment = 0;
            for (int bin = 0; bin < bins; ++bin) {
                mass += disc.line[bin];
                moment += disc.line[bin] * reinterpret_cast<FromAxis>(fromAxis)(bin, theirs, bins);
            }
            QVERIFY2(std::abs(moment / mass) < 0.05, qPrintable(QString::number(moment / mass)));
            QCOMPARE(axisFrom(*program, theirs, bins), disc.axis);
        }
    }

    // gridrec multiplies the transform by a phase. For a line that is symmetric about the origin, no imaginary part
    // remains.
    void gridrecTurnsAboutABinsCentre()
    {
        const OnAxis disc(200);
        constexpr int padded = 256;
        const auto imaginary = [&](double center) {
            double imaginaryPart = 0, all = 0;
            for (int k = 1; k < padded / 2; ++k) {
                std::complex<double> sum = 0;
                for (int bin = 0; bin < 200; ++bin)
                    sum += disc.line[bin] * std::polar(1.0, 2 * std::numbers::pi * k * bin / padded);
                sum *= std::polar(1.0, -2 * std::numbers::pi * k * center / padded);
                imaginaryPart += sum.imag() * sum.imag();
                all += std::norm(sum);
            }
            return std::sqrt(imaginaryPart / all);
        };
        const double theirs = axisOf(*findAxisProgram("tomopy"), disc.axis, 200);
        qInfo("%g; half a bin off %g, %g", imaginary(theirs), imaginary(theirs - 0.5), imaginary(theirs + 0.5));
        QVERIFY(imaginary(theirs + 0.5) > 4 * imaginary(theirs));
        QVERIFY(imaginary(theirs - 0.5) > 4 * imaginary(theirs));
    }

    void asText()
    {
        QCOMPARE(axisTextOf(*findAxisProgram("astra"), 295.71, 640),
                 std::string("astra.geom_postalignment(proj_geom, 23.79)"));
        QCOMPARE(axisTextOf(*findAxisProgram("tomopy"), 295.71, 640), std::string("center=295.71"));
        QCOMPARE(axisTextOf(*findAxisProgram("tomopy-iterative"), 295.71, 640), std::string("center=296.21"));
        QCOMPARE(axisTextOf(*findAxisProgram("nabu"), 295.71, 640), std::string("rotation_axis_position = 295.71"));
        QCOMPARE(axisTextOf(*findAxisProgram("tomocupy"), 295.71, 640), std::string("--rotation-axis 295.71"));
    }

    void ofTheCommandLine()
    {
        QCOMPARE(axisFromText("tomopy:296").bins, 296.0);
        QCOMPARE(axisFromText("tomopy-iterative:296").bins, 295.5);
        QCOMPARE(axisFromText("nabu:296").bins, 296.0);
        QVERIFY(fails(ErrorKind::badRequest, {"astra:3"}, [] { axisFromText("astra:3"); })); // needs the detector
        QVERIFY(fails(ErrorKind::badRequest, {"tomopy"}, [] { axisFromText("tomopy:"); }));
    }
};

SINOSCOPE_TEST(AxisProgramsTest, QCoreApplication)
#include "axis_programs_test.moc"
