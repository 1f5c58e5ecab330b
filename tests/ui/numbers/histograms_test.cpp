// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms of the settings: which settings they contain, their bins, and that they are computed only while visible.
#include "tests/ui/fixtures.h"
#include "tests/ui/sample_comparison.h"
#include "ui/numbers/histogram_panel.h"

#include <QCheckBox>
#include <QLabel>
#include <QTabWidget>

#include <numeric>

using namespace ui;
using namespace fixtures;

class HistogramsTest : public QObject
{
    Q_OBJECT
  private slots:
    void whoIsInThem()
    {
        Comparison c = sample::comparison(33, true);
        QCOMPARE(withHistograms(c).size(), std::size_t(3)); // including the reference
        QCOMPARE(withHistograms(c).back().name, QStringLiteral("exact"));
        c.compared[1].visible = false;
        QCOMPARE(withHistograms(c).size(), std::size_t(2));
        c.compared[0].reference = c.compared[0].result; // the reference is one of the settings
        QCOMPARE(withHistograms(c).size(), std::size_t(1));
        QCOMPARE(withHistograms(Comparison()).size(), std::size_t(0));
    }

    void allHaveTheSameBins()
    {
        const AreaRanges a{engine::HistogramRange{0, 2}, {}},
            b{engine::HistogramRange{-1, 1}, engine::HistogramRange{3, 3}};
        QVERIFY(commonRange({&a, &b}, &AreaRanges::values) == (engine::HistogramRange{-1, 2}));
        const auto flat = commonRange({&a, &b}, &AreaRanges::errors);
        QVERIFY(flat && flat->lowest < 3 && flat->highest > 3);
        QVERIFY(!commonRange({}, &AreaRanges::values));
    }

    void comeWhileTheyAreLookedAt()
    {
        Window window;
        QVERIFY(window.opensSmall());
        auto* panel = window.findChild<HistogramPanel*>();
        QVERIFY(panel->curves().values.empty());
        child<QTabWidget>(window, "numberTabs")->setCurrentWidget(panel);
        QVERIFY(comes([&] { return panel->curves().values.size() == 2; }));
        const HistogramCurves curves = panel->curves();
        QCOMPARE(curves.errors.size(), std::size_t(1));
        QCOMPARE(curves.values[0].value, curves.values[1].value);
        for (const HistogramCurve& curve : curves.values)
            QCOMPARE(curve.pixels.size(), histogramBins);
        const double counted = std::accumulate(curves.values[0].pixels.begin(), curves.values[0].pixels.end(), 0.0) +
                               std::accumulate(curves.values[1].pixels.begin(), curves.values[1].pixels.end(), 0.0);
        QCOMPARE(counted + double(curves.outside), 2.0 * double(window.shown().a().metrics->pixels));
        const QString said = child<QLabel>(window, "histogramsOf")->text();
        QVERIFY2(said.contains(QStringLiteral("inside the disc")), qPrintable(said));
        child<QCheckBox>(window, "logCounts")->click();
        QVERIFY(!child<QCheckBox>(window, "logCounts")->isChecked());
    }
};

SINOSCOPE_TEST(HistogramsTest, QApplication)
#include "histograms_test.moc"
