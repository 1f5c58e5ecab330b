// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra of the settings: which ones are computed, the legend, and that they are computed only while visible.
#include "tests/ui/fixtures.h"
#include "tests/ui/sample_comparison.h"
#include "ui/numbers/late_figures.h"
#include "ui/numbers/spectra_panel.h"

#include <QLabel>
#include <QTabWidget>
#include <QToolButton>

#include <atomic>

using namespace ui;
using namespace fixtures;

namespace
{

// Returns 100 rings up to 0.5; the correlation falls from 1 to 0 behind the k-th ring.
engine::RingSpectra fallingBehind(int k)
{
    engine::RingSpectra made;
    for (int ring = 1; ring <= 100; ++ring) {
        made.frequency.push_back(0.005 * ring);
        made.samples.push_back(1e6);
        made.correlation.push_back(ring <= k ? 1 : 0);
        made.powerImage.push_back(ring <= k ? 1 : 0);
        made.powerReference.push_back(1);
    }
    return made;
}

} // namespace

class SpectraTest : public QObject
{
    Q_OBJECT
  private slots:
    void theLegendSaysWhereTheyPart()
    {
        const Comparison c = sample::comparison(33, true);
        const engine::RingSpectra early = fallingBehind(40), never = fallingBehind(100);
        const SpectraCurves curves =
            spectraCurves(c, [&](const Compared& one) { return one.name == QLatin1String("A") ? &early : &never; });
        QCOMPARE(curves.curves.size(), std::size_t(2));
        QCOMPARE(curves.curves[0].resolution, QStringLiteral("4.9 pixels")); // 1/(0.2 + 0.8·0.005)
        QCOMPARE(curves.curves[1].resolution, QString());
        QCOMPARE(curves.curves[0].frequency.back(), 0.5);
        QVERIFY(std::isnan(curves.curves[0].powerRatio.back())); // missing values are not drawn
        QCOMPARE(curves.curves[0].powerRatio.front(), 1.0);
        QVERIFY(curves.threshold.front() > 0.1 && curves.threshold.front() < 0.3);
    }

    void onlyWhatIsSeenAndCanBe()
    {
        Comparison c = sample::comparison(33, true);
        QCOMPARE(withSpectra(c).size(), std::size_t(2));
        c.compared[1].visible = false;
        QCOMPARE(withSpectra(c).size(), std::size_t(1));
        c.chosen = 1; // the chosen setting is always shown
        QCOMPARE(withSpectra(c).size(), std::size_t(2));
        c.compared[1].reference = c.compared[1].result;
        QCOMPARE(withSpectra(c).size(), std::size_t(1));
        QCOMPARE(withSpectra(sample::previewed(c)).size(), std::size_t(0));
    }

    // Each figure is computed once; those no longer wanted are dropped; those that fail report the reason.
    void figuresComeLateAndStay()
    {
        const Comparison c = sample::comparison(33, true);
        std::atomic<int> made = 0;
        int arrived = 0;
        LateFigures<int> figures(
            [&made](const FigureOf& of, const std::stop_token&) {
                if (of.slice == 7)
                    throw engine::Error(engine::ErrorKind::badRequest, "no seventh");
                return ++made;
            },
            [&arrived] { ++arrived; });
        const FigureOf a{c.compared[0].result, nullptr, 0, {}}, b{c.compared[1].result, nullptr, 0, {}};
        const FigureOf bad{c.compared[0].result, nullptr, 7, {}};
        QVERIFY(!figures.find(a));
        figures.want({a, b});
        figures.want({a, bad}); // b is no longer wanted; a is being computed
        QVERIFY(comes([&] { return arrived == 2; }));
        QVERIFY(figures.find(a) && !figures.find(b) && !figures.find(bad));
        QCOMPARE(figures.failure(bad), QStringLiteral("no seventh"));
        figures.want({a, bad});
        figures.want({a, b});
        QVERIFY(comes([&] { return arrived > 2; }));
        QCOMPARE(arrived, 3);
        QCOMPARE(made.load(), 2); // b alone
    }

    void theyComeWhenTheyAreLookedAt()
    {
        Window window;
        QVERIFY(window.opensSmall());
        auto* panel = window.findChild<SpectraPanel*>();
        child<QToolButton>(window, "addSetting")->click();
        chooseValue(child<QComboBox>(window, "filter"), "hann");
        chooseValue(child<QComboBox>(window, "reference"), "exact:1");
        QVERIFY(settles(window));
        QVERIFY(isLaidOut(window));
        QVERIFY(panel->curves().curves.empty());
        child<QTabWidget>(window, "numberTabs")->setCurrentWidget(panel);
        QVERIFY(comes([panel] { return panel->curves().curves.size() == 2; }));
        const SpectrumCurve& hann = panel->curves().curves[1];
        QCOMPARE(hann.name, QStringLiteral("B · hann"));
        QVERIFY(hann.powerRatio[2] > 0.5 && hann.powerRatio[2] < 1.1);   // coarse structures remain
        QVERIFY(hann.powerRatio[hann.powerRatio.size() * 9 / 10] < 0.3); // fine ones are lost
        const QString against = child<QLabel>(window, "spectraAgainst")->text();
        QVERIFY2(against.contains(QStringLiteral("as A")), qPrintable(against));
        child<QToolButton>(window, "presets")->menu()->actions()[3]->trigger(); // every filter: the legend wraps
        QVERIFY(settles(window));
        QVERIFY(comes([&] { return panel->curves().curves.size() + 1 == window.shown().compared.size(); }));
        QVERIFY(!panel->grab().isNull());
        trigger(window, QKeySequence::Undo);
        QVERIFY(settles(window));
        child<QToolButton>(window, "removeSetting")->click();
        QVERIFY(settles(window));
        QVERIFY(comes([panel] { return panel->curves().curves.size() == 1; }));
    }
};

SINOSCOPE_TEST(SpectraTest, QApplication)
#include "spectra_test.moc"
