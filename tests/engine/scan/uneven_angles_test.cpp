// SPDX-License-Identifier: GPL-3.0-or-later
// Whole reconstructions from unevenly spaced angles, and the notes about them.
#include "engine/compare/metrics.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/ellipses.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

using namespace engine;
using namespace fixtures;
using std::numbers::pi;

namespace
{

const int unevenSize = sanitized ? 64 : 512;

// Returns a scan of the modified Shepp-Logan phantom from any angles: integrals along rays through the middle of the
// bins.
std::shared_ptr<const Scan> scanOf(const std::vector<double>& anglesDeg, int bins, int rows = 1)
{
    auto scan = std::make_shared<Scan>();
    ParallelBeam beam;
    beam.bins = bins;
    for (const double angle : anglesDeg)
        beam.anglesRad.push_back(angle * pi / 180);
    beam.axisBins = {beam.middleBins()};
    scan->name = "uneven";
    scan->geometry = beam;
    scan->rows = rows;
    scan->quantity = Quantity::attenuation;
    scan->read = [beam](RowRange range, std::stop_token) {
        Simulation simulation;
        simulation.size = beam.bins;
        const std::vector<Ellipse> ellipses = ellipsesAt(solidsOf(simulation.phantom, simulation.size), 0);
        RawRows raw;
        raw.rows = range;
        raw.bins = beam.bins;
        raw.projections = beam.projections();
        const double unit = beam.bins / 2.0; // in pixels
        for (const double theta : beam.anglesRad)
            for (int row = 0; row < range.count; ++row)
                for (int bin = 0; bin < beam.bins; ++bin) {
                    const double t = (bin - beam.middleBins()) / unit;
                    double sum = 0;
                    for (const Ellipse& e : ellipses) {
                        const double turn = theta - e.angleRad;
                        const double s = t - e.x * std::cos(theta) - e.y * std::sin(theta);
                        const double r2 = std::pow(e.a * std::cos(turn), 2) + std::pow(e.b * std::sin(turn), 2);
                        if (s * s < r2)
                            sum += 2 * e.density * e.a * e.b * std::sqrt(r2 - s * s) / r2;
                    }
                    raw.data.floats().push_back(static_cast<float>(sum * unit));
                }
        return raw;
    };
    return scan;
}

// Compares with the phantom's exact image in a disc of 0.9 of the radius, where the phantom's mean is 0.190.
Metrics inDisc(const Volume& image)
{
    Simulation simulation;
    simulation.size = unevenSize;
    simulation.projections = 1;
    simulation.attenuation = 1; // densities, like the projections above
    const Volume exact = simulate(simulation)->exactImage(0, whole(unevenSize));
    Mask mask;
    mask.discRadius = 0.9;
    return compareImages(image.values, exact.values, unevenSize, unevenSize, mask);
}

std::vector<double> steps(double from, double to, double step)
{
    std::vector<double> angles;
    for (int k = 0; from + k * step < to - 1e-9; ++k)
        angles.push_back(from + k * step);
    return angles;
}

} // namespace

class UnevenAnglesTest : public QObject
{
    Q_OBJECT
  private slots:
    void errors_data()
    {
        QTest::addColumn<std::vector<double>>("anglesDeg");
        QTest::addColumn<double>("bound");     // of the RMSE
        QTest::addColumn<double>("meanBound"); // of the difference of the mean from 0.190
        QTest::addColumn<QStringList>("notes");
        std::mt19937 generator(1);
        std::uniform_real_distribution<double> uniform(0, 180);
        std::vector<double> random(402);
        std::generate(random.begin(), random.end(), [&] { return uniform(generator); });
        // If gaps were capped at three times the median: 0.106, mean 0.126.
        QTest::newRow("402 random angles")
            << random << 0.0295 << 5e-4 << QStringList{"The angles are unevenly spaced, *"};
        std::vector<double> two = steps(0, 90, 0.25);
        for (const double angle : steps(90, 180, 1))
            two.push_back(angle);
        // If capped: 0.138.
        QTest::newRow("steps of 0.25° and 1°")
            << two << 0.0205 << 5e-4
            << QStringList{"The angles are unevenly spaced, 0.25° to 1° apart; each projection "
                           "was weighted by half the distance to its neighbours."};
        std::vector<double> lost = steps(0, 180, 180.0 / 402);
        const std::vector<double> even = lost;
        lost.erase(lost.begin() + 100, lost.begin() + 105);
        // If capped: 0.0202.
        QTest::newRow("five neighbours lost of 402")
            << lost << 0.0178 << 5e-4 << QStringList{"The angles are unevenly spaced, 0.4478° to 2.687° apart*"};
        QTest::newRow("402 even angles") << even << 0.0155 << 5e-4 << QStringList{};
        // If the wedge's gap had its full weight: 0.336.
        QTest::newRow("0 to 120°") << steps(0, 120.1, 0.25) << 0.16 << 0.08
                                   << QStringList{"There are no projections from 120° to 180°: this missing wedge of "
                                                  "60° was left out of the angular weights."};
    }

    void errors()
    {
        QFETCH(std::vector<double>, anglesDeg);
        QFETCH(double, bound);
        QFETCH(double, meanBound);
        QFETCH(QStringList, notes);
        const Reconstruction made = Reconstructor().run(requestFor(scanOf(anglesDeg, unevenSize)));
        const Metrics metrics = inDisc(made.image);
        qInfo("RMSE %.4f, mean %.4f of %.4f", metrics.rmse, metrics.meanImage, metrics.meanReference);
        QCOMPARE(made.notes.size(), static_cast<std::size_t>(notes.size()));
        for (int k = 0; k < notes.size(); ++k) {
            const QString note = QString::fromStdString(made.notes[k].text().plain());
            QVERIFY2(notes[k].endsWith('*') ? note.startsWith(notes[k].chopped(1)) : note == notes[k],
                     qPrintable(note));
        }
        if (sanitized)
            QSKIP("the bounds want the whole size");
        QVERIFY(std::abs(metrics.meanReference - 0.19) < 1e-3);
        QVERIFY(metrics.rmse < bound);
        QVERIFY(std::abs(metrics.meanImage - metrics.meanReference) < meanBound);
    }

    // Notes give the wedge in the scan's own angles.
    void wedgesAreNamedByTheScansAngles()
    {
        const auto noteOf = [](const std::vector<double>& anglesDeg) {
            const Reconstruction made = Reconstructor().run(requestFor(scanOf(anglesDeg, 16)));
            return made.notes.size() == 1 ? QString::fromStdString(made.notes[0].text().plain())
                                          : QString::number(made.notes.size());
        };
        QVERIFY(noteOf(steps(-60, 60.1, 1))
                    .startsWith("There are no projections from 60° to 120°: this missing wedge of 60°"));
        QVERIFY(noteOf(steps(200, 340.1, 2)).startsWith("There are no projections from 340° to 380°: "));
        // Both halves of a full circle have the gap.
        std::vector<double> twice = steps(0, 120.1, 1);
        for (const double angle : steps(180, 300.1, 1))
            twice.push_back(angle);
        QVERIFY(noteOf(twice).startsWith("There are no projections from 120° to 180°: "));
    }

    // A second run uses the cached filtered data and gives the same notes.
    void notesAreSaidAgain()
    {
        Reconstructor reconstructor;
        const Request request = requestFor(scanOf(steps(0, 120.1, 1), 16));
        const auto first = reconstructor.run(request).notes;
        QCOMPARE(first.size(), std::size_t(1));
        const Reconstruction again = reconstructor.run(request);
        QVERIFY(again.timings.filter.reused);
        QVERIFY(again.notes == first);
    }

    void aVolumeSaysItOnce()
    {
        Request request = requestFor(scanOf(steps(0, 120.1, 1), 16, 40));
        const VolumePlan plan = planVolume(request);
        QVERIFY(plan.slicesPerGroup < 40); // several groups
        const Reconstruction made = reconstructVolume(request, plan, [](const Reconstruction&, std::stop_token) {});
        QCOMPARE(made.notes.size(), std::size_t(1));
        QVERIFY(QString::fromStdString(made.notes[0].text().plain())
                    .startsWith("There are no projections from 120° to 180°"));
    }
};

SINOSCOPE_TEST(UnevenAnglesTest, QCoreApplication)
#include "uneven_angles_test.moc"
