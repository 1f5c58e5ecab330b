// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps: which settings they have, that each image is that of a single run, and that scores pick what is best against
// the exact phantom.
#include "engine/compare/run_sweep.h"
#include "engine/simulate/phantom.h"
#include "tests/fixtures.h"

#include <QTest>

using namespace engine;
using namespace fixtures;

namespace
{

std::shared_ptr<const Scan> noisyScan(double photons, double arcDeg, double axisOffset, int number)
{
    Simulation simulation;
    simulation.size = 96;
    simulation.projections = 150;
    simulation.photons = photons;
    simulation.arcDeg = arcDeg;
    simulation.axisOffsetBins = axisOffset;
    simulation.seed = static_cast<std::uint64_t>(number);
    return simulate(simulation);
}

Sweep sweepOver(const std::shared_ptr<const Scan>& scan, const std::vector<std::string>& texts, bool isZipped = false)
{
    Request base = requestFor(scan);
    base.place.setSlices({0, 1});
    std::vector<Variation> variations;
    for (const std::string& text : texts)
        variations.push_back(variationFromText(text));
    return sweepOf(base, std::move(variations), isZipped, true);
}

SweepTask taskOf(Sweep sweep, const std::vector<const char*>& scores)
{
    SweepTask task{.sweep = std::move(sweep)};
    task.mask.discRadius = 0.9;
    task.reference = ReferenceChoice{ReferenceChoice::Kind::phantom};
    for (const char* id : scores)
        task.wanted.push_back(&scoreNamed(id));
    return task;
}

// Returns the RMSE of the setting that a score picks, as a multiple of the least RMSE.
double lossOf(const SweepTask& task, const char* score)
{
    const SweptAll all = runSweep(task);
    const auto rmse = [&](std::size_t point) { return all.points[point].scores.front(); };
    return rmse(bestOf(task, all, scoreNamed(score)).value()) / rmse(bestOf(task, all, scoreNamed("rmse")).value());
}

std::string messageOf(const std::string& variation)
{
    const auto error = errorOf([&] { variationFromText(variation); });
    return error ? error->what() : "";
}

} // namespace

class SweepTest : public QObject
{
    Q_OBJECT
  private slots:
    void valuesOfVariations();
    void badVariations();
    void combinations();
    void impossibleCombinations();
    void imagesAreThoseOfSingleRuns();
    void errorPicksTheFilter();
    void sharpnessPicksTheAxis();
    void scoresJudgeWhatTheyCan();
    void stoppedSweepKeepsWhatIsDone();
};

void SweepTest::valuesOfVariations()
{
    using Texts = std::vector<std::string>;
    QCOMPARE(variationFromText("axis=60:61:0.25").values, (Texts{"60", "60.25", "60.5", "60.75", "61"}));
    QCOMPARE(variationFromText("cutoff=0.1:0.3:0.1").values, (Texts{"0.1", "0.2", "0.3"}));
    QCOMPARE(variationFromText("axis=3:1:-1,middle").values, (Texts{"3", "2", "1", "middle"}));
    QCOMPARE(variationFromText("filter=Hann,ram-lak").values, (Texts{"hann", "ram-lak"}));
    QCOMPARE(variationFromText("step-order=zingers,flat-field;flat-field,zingers").values.size(), std::size_t{2});
}

void SweepTest::badVariations()
{
    for (const auto& [text, part] : std::initializer_list<std::pair<const char*, const char*>>{
             {"axis", "OPTION=FIRST:LAST:STEP"},
             {"axis=", "bad variation"},
             {"axis=1:2:0", "is empty"},
             {"axis=1:2", "has no step"},
             {"axis=2:1:1", "is empty"},
             {"axis=0:1:1e-7", "more than 10000"},
             {"axis=1,1", "given twice"},
             {"axis=1,,2", "empty value"},
             {"axes=1", "did you mean axis"},
             {"device=cpu", "can't be varied"},
             {"filter=hann,han", "did you mean hann"},
             {"cutoff=0.5:1.5:0.5", "1.5"},
         })
        QVERIFY2(messageOf(text).find(part) != std::string::npos, (text + (": " + messageOf(text))).c_str());
}

void SweepTest::combinations()
{
    const auto scan = noisyScan(1e4, 180, 0, 1);
    const Sweep grid = sweepOver(scan, {"axis=40,50", "zingers=off,square", "filter=hann,ram-lak"});
    QCOMPARE(grid.points.size(), std::size_t{8});
    QCOMPARE(pointName(grid, grid.points[1]), std::string("axis 40, zingers off, filter ram-lak"));
    // Rows are prepared twice, and not once for each axis.
    const auto zingersAt = [&](std::size_t k) { return grid.points[grid.order[k]].values[1]; };
    for (std::size_t k = 0; k < 8; ++k)
        QCOMPARE(zingersAt(k), std::string(k < 4 ? "off" : "square"));
    const Sweep together = sweepOver(scan, {"axis=40,50", "filter=hann,ram-lak"}, true);
    QCOMPARE(together.points.size(), std::size_t{2});
    QCOMPARE(pointName(together, together.points[1]), std::string("axis 50, filter ram-lak"));
    QVERIFY(errorOf([&] { sweepOver(scan, {"axis=40,50", "filter=hann"}, true); }));
    QVERIFY(errorOf([&] { sweepOver(scan, {"axis=40", "axis=50"}); }));
    QVERIFY(errorOf([&] { sweepOver(scan, {"axis=0:90:0.1", "cutoff=0.1:1:0.01"}); }));
}

void SweepTest::impossibleCombinations()
{
    const SweepTask task =
        taskOf(sweepOver(noisyScan(1e4, 180, 0, 1), {"filter=hann,butterworth", "order=2,5"}), {"rmse"});
    const SweptAll all = runSweep(task);
    std::vector<bool> made;
    for (const SweptPoint& point : all.points)
        made.push_back(point.made.has_value());
    QCOMPARE(made, (std::vector{true, false, true, true})); // Hann has no order; 2 is the default
    QVERIFY(all.points[1].failure->plain().find("butterworth") != std::string::npos);
    QVERIFY(!bestOf(task, all, scoreNamed("gups"))); // wasn't wanted
}

void SweepTest::imagesAreThoseOfSingleRuns()
{
    const Sweep sweep =
        sweepOver(noisyScan(1e4, 360, 1.5, 1), {"zingers=off,square", "axis=48:49:0.5", "precision=float,half"});
    std::size_t count = 0;
    const SweptAll all =
        runSweep(taskOf(sweep, {"noise", "sharpness", "residual", "resolution"}),
                 [&](std::size_t point, const Reconstruction& made) {
                     ++count;
                     QCOMPARE(made.image.values, Reconstructor().run(sweep.points[point].request).image.values);
                 });
    QCOMPARE(count, std::size_t{12});
    for (const SweptPoint& point : all.points) {
        QVERIFY(point.made->image.values.empty());
        for (const double score : point.scores)
            QVERIFY(score > 0);
    }
}

void SweepTest::errorPicksTheFilter()
{
    int number = 0;
    for (const double photons : {500.0, 3000.0, 20'000.0, 1e6})
        for (const double arc : {180.0, 360.0}) {
            const Sweep sweep = sweepOver(noisyScan(photons, arc, 0, ++number),
                                          {"filter=ram-lak,shepp-logan,hann", "cutoff=0.25,0.35,0.5,0.7,1"});
            const double loss = lossOf(taskOf(sweep, {"rmse", "error"}), "error");
            QVERIFY2(loss <= 1.1, qPrintable(QStringLiteral("%1 photons, %2°: %3").arg(photons).arg(arc).arg(loss)));
        }
}

void SweepTest::sharpnessPicksTheAxis()
{
    int number = 0;
    for (const double photons : {10'000.0, 1e6})
        for (const double arc : {180.0, 360.0})
            for (const double offset : {0.0, -2.0}) {
                const double axis = 47.5 + offset;
                const Sweep sweep =
                    sweepOver(noisyScan(photons, arc, offset, ++number),
                              {"axis=" + std::to_string(axis - 3) + ":" + std::to_string(axis + 3) + ":0.5"});
                const double loss = lossOf(taskOf(sweep, {"rmse", "sharpness"}), "sharpness");
                QVERIFY2(loss <= 1.1,
                         qPrintable(QStringLiteral("%1 photons, %2°: %3").arg(photons).arg(arc).arg(loss)));
            }
}

void SweepTest::scoresJudgeWhatTheyCan()
{
    const auto scan = noisyScan(1e4, 180, 0, 1);
    const auto judges = [&](const char* score, const char* variation, std::optional<ReferenceChoice> reference = {}) {
        return !scoreNamed(score).whyNotBest(sweepOver(scan, {variation}), reference);
    };
    using Kind = ReferenceChoice::Kind;
    QVERIFY(judges("sharpness", "axis=40,50") && judges("sharpness", "axis-tilt=0,1") &&
            judges("residual", "axis=40,50"));
    QVERIFY(!judges("sharpness", "filter=hann,none") && !judges("sharpness", "phase=off,paganin"));
    QVERIFY(judges("error", "filter=hann,cosine") && judges("error", "cutoff=0.5,1"));
    QVERIFY(!judges("error", "axis=40,50") && !judges("error", "pad=zero,edge"));
    QVERIFY(!judges("noise", "cutoff=0.5,1") && !judges("resolution", "axis=40,50") && !judges("gups", "axis=40,50"));
    QVERIFY(!judges("rmse", "interpolation=linear,cubic", ReferenceChoice{Kind::exact}));
    QVERIFY(judges("rmse", "interpolation=linear,cubic", ReferenceChoice{Kind::phantom}));
    QVERIFY(!judges("rmse", "axis=40,50") && judges("rmse", "axis=40,50", ReferenceChoice{Kind::phantom}));
    QVERIFY(!judges("rmse", "axis=40,50", ReferenceChoice{Kind::exact}));
    QVERIFY(judges("rmse", "precision=float,half", ReferenceChoice{Kind::exact}));
    QCOMPARE(usualReference(sweepOver(scan, {"precision=float,half"}))->kind, Kind::exact);
    QCOMPARE(usualReference(sweepOver(scan, {"axis=40,50"}))->kind, Kind::phantom);
    // A cubic kernel is as near to the cubic reference as a linear one to the linear reference.
    SweepTask task = taskOf(sweepOver(scan, {"interpolation=linear,cubic"}), {"psnr"});
    task.reference = referenceFromText("exact-cubic");
    QCOMPARE(toText(*task.reference), std::string("exact-cubic"));
    const SweptAll all = runSweep(task);
    QVERIFY(all.points[0].made && all.points[1].made);
    QVERIFY(all.points[0].scores[0] < 70 && all.points[1].scores[0] > 120);
}

void SweepTest::stoppedSweepKeepsWhatIsDone()
{
    const SweepTask task = taskOf(sweepOver(noisyScan(1e4, 180, 0, 1), {"axis=45:50:1"}), {"rmse"});
    std::stop_source source;
    int count = 0;
    const SweptAll all = runSweep(
        task,
        [&](std::size_t, const Reconstruction&) {
            if (++count == 3)
                source.request_stop();
        },
        {}, source.get_token());
    QVERIFY(all.isStopped);
    for (std::size_t k = 0; k < all.points.size(); ++k)
        QCOMPARE(all.points[k].made.has_value(), k < 3);
}

SINOSCOPE_TEST(SweepTest, QCoreApplication)
#include "sweep_test.moc"
