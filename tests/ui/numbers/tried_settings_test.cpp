// SPDX-License-Identifier: GPL-3.0-or-later
// Settings tried in a session, compared with medians and fronts worked out by hand.
#include "tests/fixtures.h"
#include "tests/ui/sample_comparison.h"
#include "ui/numbers/tried_settings.h"

using namespace ui;

namespace
{

std::vector<std::size_t> frontOf(const std::vector<std::pair<double, double>>& speedsAndErrors)
{
    std::vector<TriedDot> dots;
    for (const auto& [speed, error] : speedsAndErrors) {
        TriedDot dot;
        dot.speeds.kernelGups = {speed, speed, speed, 1};
        dot.rmse = error;
        dots.push_back(dot);
    }
    return paretoFront(dots);
}

// Returns a comparison of two different settings. Their requests contain the scan of the first image.
Comparison twoSettings()
{
    Comparison c = sample::comparison(33, true);
    for (Compared& one : c.compared)
        one.request.scan = c.compared[0].result->request.scan;
    c.compared[1].request.setting.kernel.precision = engine::Precision::half;
    return c;
}

void runAgain(Compared& one, double gups)
{
    auto made = std::make_shared<engine::Reconstruction>(*one.result);
    made->kernelGups = gups;
    one.result = made;
}

} // namespace

class TriedSettingsTest : public QObject
{
    Q_OBJECT
  private slots:
    void mediansWithLeastAndMost()
    {
        QCOMPARE(engine::spreadOf({}).count, 0);
        QCOMPARE(engine::spreadOf({3}).median, 3.0);
        const engine::Spread odd = engine::spreadOf({5, 1, 2});
        QCOMPARE(odd.median, 2.0);
        QCOMPARE(odd.least, 1.0);
        QCOMPARE(odd.most, 5.0);
        QCOMPARE(odd.count, 3);
        QCOMPARE(engine::spreadOf({4, 1, 2, 8}).median, 3.0);
        const engine::Spread quartiles = engine::spreadOf({5, 1, 3, 2, 4});
        QCOMPARE(quartiles.lower, 2.0);
        QCOMPARE(quartiles.upper, 4.0);
        QCOMPARE(engine::spreadOf({1, 2}).lower, 1.25);
        QCOMPARE(engine::spreadOf({3}).upper, 3.0);
    }

    void frontIsWhatNothingBeats()
    {
        using Front = std::vector<std::size_t>;
        QCOMPARE(frontOf({}), Front());
        QCOMPARE(frontOf({{1, 5}}), Front({0}));
        // 0 is slow with a small error, 1 fast with a large one, 3 in between; 2 is slower than 3 with a larger error.
        QCOMPARE(frontOf({{1, 1}, {9, 8}, {2, 6}, {4, 3}}), Front({0, 3, 1}));
        QCOMPARE(frontOf({{2, 0}, {2, 3}, {1, 0}}), Front({0})); // identical image, as fast as any other
        QCOMPARE(frontOf({{2, 3}, {2, 3}}), Front({0}));
        QCOMPARE(frontOf({{2, 3}, {2, 1}}), Front({1}));
    }

    // Speeds differ if the upper quartile of the slower setting lies below the lower quartile of the faster one; a
    // single value is not enough.
    void speedsThatDiffer()
    {
        QVERIFY(areApart(engine::spreadOf({1, 2, 3}), engine::spreadOf({4, 5, 6})));
        QVERIFY(!areApart(engine::spreadOf({4, 5, 6}), engine::spreadOf({1, 2, 3})));
        QVERIFY(!areApart(engine::spreadOf({1, 2, 3}), engine::spreadOf({2, 3, 4})));
        QVERIFY(!areApart(engine::spreadOf({1}), engine::spreadOf({4, 5, 6})));
        QVERIFY(!areApart(engine::spreadOf({1, 2, 3}), engine::spreadOf({9})));
    }

    // Settings that differ in more than the kernel name these differences; the plot does not connect them.
    void unlikeSettingsAreNamed()
    {
        TriedSettings tried;
        Comparison c = twoSettings();
        c.compared[1].request.setting.filter.window = engine::Window::hann;
        tried.add(c);
        const std::vector<TriedDot> dots = tried.dots(c);
        QCOMPARE(dots.size(), std::size_t(2));
        QCOMPARE(dots[0].unlike, QString());
        QCOMPARE(dots[1].unlike, QStringLiteral("filter hann"));
        const Comparison kernels = twoSettings();
        TriedSettings others;
        others.add(kernels);
        for (const TriedDot& dot : others.dots(kernels))
            QCOMPARE(dot.unlike, QString());
    }

    void furtherRunsAreAdded()
    {
        TriedSettings tried;
        const Comparison c = twoSettings();
        const IdleMeasurement runs{{{2, 1, 0.5}, {6, 3, 0.25}}, {{"loads", 8, 2}}};
        tried.add(c.compared[0].request, runs); // runs of a setting that is not shown yet
        QCOMPARE(tried.speeds(c.compared[0]).kernelGups.count, 0);
        tried.add(c);
        tried.add(c.compared[0].request, runs);
        QCOMPARE(tried.speeds(c.compared[0]).kernelGups.count, 3);
        QCOMPARE(tried.speeds(c.compared[0]).kernelGups.median, 4.337);
        QCOMPARE(tried.speeds(c.compared[0]).totalSeconds.most, 0.5);
        QCOMPARE(tried.speeds(c.compared[1]).kernelGups.count, 1);
        QCOMPARE(tried.speeds(c.compared[0]).limits->front().unit, std::string("loads"));
        QVERIFY(!tried.speeds(c.compared[1]).limits);
    }

    // Runs in turns with other settings replace earlier ones, whose image isn't counted again.
    void runsInTurnsReplaceOthers()
    {
        TriedSettings tried;
        const Comparison c = twoSettings();
        tried.add(c);
        IdleMeasurement turns{{{2, 1, 0.5}, {6, 3, 0.25}, {4, 2, 0.5}}, {}};
        turns.inTurns = true;
        tried.add(c.compared[0].request, turns);
        tried.add(c);
        QCOMPARE(tried.speeds(c.compared[0]).kernelGups.count, 3);
        QCOMPARE(tried.speeds(c.compared[0]).kernelGups.median, 4.0);
        QCOMPARE(tried.speeds(c.compared[1]).kernelGups.count, 1);
        turns.runs.clear(); // limits alone
        tried.add(c.compared[0].request, turns);
        QCOMPARE(tried.speeds(c.compared[0]).kernelGups.count, 3);
    }

    void runsAreCountedOnce()
    {
        TriedSettings tried;
        Comparison c = twoSettings();
        tried.add(c);
        tried.add(c); // shown again, but not run again
        QCOMPARE(tried.speeds(c.compared[0]).kernelGups.count, 1);
        QCOMPARE(tried.speeds(c.compared[0]).kernelGups.median, 4.337);
        const Comparison first = c;
        for (const double gups : {2.0, 6.0}) {
            runAgain(c.compared[0], gups);
            tried.add(c);
        }
        tried.add(first); // the first result again, from the cache
        const engine::Spread spread = tried.speeds(c.compared[0]).kernelGups;
        QCOMPARE(spread.count, 3);
        QCOMPARE(spread.median, 4.337);
        QCOMPARE(spread.least, 2.0);
        QCOMPARE(spread.most, 6.0);
        QCOMPARE(tried.speeds(c.compared[1]).totalSeconds.count, 1);
        c.compared[0].request.setting.filter.window = engine::Window::hann;
        QCOMPARE(tried.speeds(c.compared[0]).kernelGups.count, 0);
        tried.add(sample::previewed(c));
        QCOMPARE(tried.speeds(c.compared[0]).kernelGups.count, 0);
    }

    void whatWasChangedStaysAsADot()
    {
        TriedSettings tried;
        Comparison c = twoSettings();
        tried.add(c);
        const engine::Setting before = c.compared[1].request.setting;
        c.compared[1].request.setting.filter.window = engine::Window::hann;
        c.compared[1].name = QStringLiteral("new");
        runAgain(c.compared[1], 3);
        tried.add(c);
        const std::vector<TriedDot> dots = tried.dots(c);
        QCOMPARE(dots.size(), std::size_t(3));
        QCOMPARE(dots[0].id, 1);
        QCOMPARE(dots[0].rmse, 2.1e-5);
        QCOMPARE(dots[1].id, 0);
        QVERIFY(dots[1].setting == before);
        QCOMPARE(dots[1].name, QStringLiteral("B"));
        QCOMPARE(dots[2].id, 2);
        QCOMPARE(dots[2].speeds.kernelGups.median, 3.0);
        QVERIFY2(dots[2].description.endsWith(QStringLiteral(" · hann")), qPrintable(dots[2].description));
    }

    void onlyWhatCanBeComparedIs()
    {
        const Comparison c = twoSettings();
        TriedSettings tried;
        tried.add(c);
        const auto count = [&](const Comparison& other) { return tried.dots(other).size(); };
        QCOMPARE(count(c), std::size_t(2));
        Comparison other = c;
        other.slice = 1;
        QCOMPARE(count(other), std::size_t(0));
        other = c;
        other.mask.discRadius = 0.5;
        QCOMPARE(count(other), std::size_t(0));
        other = c;
        other.against.kind = ReferenceChoice::Kind::phantom;
        QCOMPARE(count(other), std::size_t(0));
        other = twoSettings(); // another scan
        QCOMPARE(count(other), std::size_t(0));
        other = c;
        for (Compared& one : other.compared)
            one.request.resources.threads = 1;
        QCOMPARE(count(other), std::size_t(0));
    }

    // The reference is identified by its setting, not by its position in the list: dots of the previous reference are
    // dropped when that setting is changed. If the reference is the exact image of a setting, the kernel of that
    // setting does not matter.
    void theReferenceIsASettingNotItsPlace()
    {
        Comparison c = twoSettings();
        c.against = {ReferenceChoice::Kind::setting, 2};
        for (Compared& one : c.compared)
            one.reference = c.compared[1].result;
        c.compared[1].metrics.reset();
        TriedSettings tried;
        tried.add(c);
        const std::vector<TriedDot> dots = tried.dots(c);
        QCOMPARE(dots.size(), std::size_t(2));
        QCOMPARE(dots[1].rmse, 0.0); // compared with itself
        Comparison other = c;
        other.compared[1].request.setting.kernel.precision = engine::Precision::single;
        other.compared[1].request.setting.filter.cutoff = 0.5;
        QCOMPARE(tried.dots(other).size(), std::size_t(0));
        c.against.kind = ReferenceChoice::Kind::exactOf;
        tried.add(c);
        other = c;
        other.compared[1].request.setting.kernel.interpolation = engine::Interpolation::nearest;
        QCOMPARE(tried.dots(other).size(), std::size_t(2));
        other.compared[1].request.setting.filter.cutoff = 0.5;
        QCOMPARE(tried.dots(other).size(), std::size_t(0));
    }
};

SINOSCOPE_TEST(TriedSettingsTest, QCoreApplication)
#include "tried_settings_test.moc"
