// SPDX-License-Identifier: GPL-3.0-or-later
// An outlier hardly affects the robust mean, however small the error that it states for itself.
#include "engine/axis/find_axis.h"
#include "engine/axis/robust_mean.h"
#include "engine/prepare/prepare.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

class RobustMeanTest : public QObject
{
    Q_OBJECT

  private slots:
    void oneThatIsFarOff()
    {
        // As measured once: 1500 bins, 1000 photons, where the result of the Fourier wedge was 1.14 bins off and
        // shifted the mean by 0.4.
        const std::vector<Measured> all = {{.04, .71, .06}, {1.14, .76, .2}, {.11, .28, .25}, {-.01, .52, .3}};
        QVERIFY(std::abs(robustMean(all) - .04) < .04);
        std::vector<Measured> turned(all.rbegin(), all.rend());
        QVERIFY(std::abs(robustMean(turned) - robustMean(all)) < 1e-9); // independent of their order
        for (Measured& each : turned)
            each.value = -each.value + 7;
        QVERIFY(std::abs(robustMean(turned) - (7 - robustMean(all))) < 1e-6);
    }

    // Two imprecise values do not draw the result away from the most precise one.
    void mostPreciseStays()
    {
        const std::vector<Measured> all = {{-.022, .70, .06}, {-.296, .77, .2}, {-.003, .26, .25}, {-.291, .44, .3}};
        QVERIFY(std::abs(robustMean(all)) < .1);
    }

    void thatAreAsGood()
    {
        QCOMPARE(robustMean({{3, .5, .1}}), 3.0);
        QVERIFY(std::abs(robustMean({{1, .5, .1}, {1.02, .5, .1}, {1.04, .5, .1}}) - 1.02) < 1e-6);
        QVERIFY(std::abs(robustMean({{0, .5, 50}, {1, .5, 50}, {5, .5, 50}}) - 2) < .01); // however imprecise all are
        QVERIFY(std::isfinite(robustMean({{1, 0, .1}, {2, 0, .1}})));
    }

    // Noise that is interpolated between bins is smoothest halfway between them. When the search preferred such
    // positions, the Fourier wedge found an axis a quarter of a bin from a bin's centre, 0.83 bins off the true axis.
    void noiseDoesNotDrawTheWedge()
    {
        if (sanitized)
            QSKIP("other numbers go the same way");
        Simulation simulation;
        simulation.size = 700;
        simulation.projections = 400;
        simulation.photons = 1e3;
        simulation.axisOffsetBins = -.4;
        const auto scan = simulate(simulation);
        const Sinograms row = prepareRows(scan->read({0, 1}, {}), scan->quantity, 0).sinograms;
        Geometry geometry = scan->geometry;
        std::get<ParallelBeam>(geometry).axisBins.clear();
        const AxisCandidates all = findAxisCandidates(row, geometry, 0);
        for (const AxisCandidate& each : all.candidates)
            if (each.unsuited.empty())
                qInfo("%s %+.3f", each.method->id, each.guess.bins - scan->axisBins().front());
        const double truth = scan->axisBins().front();
        QVERIFY(std::abs(all.found.bins - truth) < .1);
        const auto wedge = std::ranges::find(all.candidates, std::string("fourier"),
                                             [](const AxisCandidate& each) { return std::string(each.method->id); });
        QVERIFY(std::abs(wedge->guess.bins - truth) < .4);
    }
};

SINOSCOPE_TEST(RobustMeanTest, QCoreApplication)
#include "robust_mean_test.moc"
