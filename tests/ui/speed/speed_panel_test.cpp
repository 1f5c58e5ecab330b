// SPDX-License-Identifier: GPL-3.0-or-later
// Speed and quality as figures, their history, and progress that does not flicker.
#include "tests/ui/fixtures.h"
#include "tests/ui/sample_comparison.h"
#include "ui/speed/history_chart.h"
#include "ui/speed/speed_panel.h"
#include "ui/speed/speed_rows.h"
#include "ui/widgets/displayed_number.h"

#include <QAbstractButton>
#include <QLabel>
#include <QProgressBar>
#include <QSignalSpy>

using namespace fixtures;

class SpeedPanelTest : public QObject
{
    Q_OBJECT

    static QString text(const QWidget& panel, const char* name) { return child<QLabel>(panel, name)->text(); }

    std::optional<NoWarnings> m_noWarnings;

  private slots:
    void init() { m_noWarnings.emplace(); }
    void cleanup() { m_noWarnings.reset(); }

    void numbersHaveSensibleDigits()
    {
        const QChar thin(0x202f);
        QCOMPARE(ui::gupsText(0.8432), QStringLiteral("0.84"));
        QCOMPARE(ui::gupsText(12.34), QStringLiteral("12.3"));
        QCOMPARE(ui::gupsText(9.996), QStringLiteral("10.0"));
        QCOMPARE(ui::gupsText(412.4), QStringLiteral("412"));
        QCOMPARE(ui::gupsText(999.7), QStringLiteral("1") + thin + QStringLiteral("000"));
        QCOMPARE(ui::gupsText(4094.2), QStringLiteral("4") + thin + QStringLiteral("094"));
        QCOMPARE(ui::gupsText(0.01234), QStringLiteral("0.012"));
        QCOMPARE(ui::gupsText(0), QStringLiteral("–"));
        QCOMPARE(ui::gupsText(std::nan("")), QStringLiteral("–"));
        QCOMPARE(ui::secondsText(0.0123), QStringLiteral("12.3") + thin + QStringLiteral("ms"));
        QCOMPARE(ui::secondsText(0.00042), QStringLiteral("420") + thin + QStringLiteral("µs"));
        QCOMPARE(ui::secondsText(1.236), QStringLiteral("1.24") + thin + QStringLiteral("s"));
        const QChar figure(0x2007);
        QCOMPARE(ui::timeLeftText(11.2), QStringLiteral("12 s left"));
        QCOMPARE(ui::timeLeftText(0), figure + QStringLiteral("1 s left"));
        QCOMPARE(ui::timeLeftText(99), QStringLiteral("99 s left"));
        QCOMPARE(ui::timeLeftText(99.5), figure + QStringLiteral("2 min left"));
        QCOMPARE(ui::timeLeftText(3000), QStringLiteral("50 min left"));
        QCOMPARE(ui::timeLeftText(std::nan("")), QString());
        QCOMPARE(ui::errorText(2.104e-4), QStringLiteral("2.10e−4"));
        QCOMPARE(ui::fourDigitsText(-0.0213), QStringLiteral("−0.02130"));
        QCOMPARE(ui::ssimText(0.99984), QStringLiteral("0.9998"));
        QCOMPARE(ui::ssimText(0.9999996), QStringLiteral("0.9999996"));
        QCOMPARE(ui::decibelText(INFINITY), QStringLiteral("∞"));
        QCOMPARE(ui::powerOfTenText(-6), QStringLiteral("10⁻⁶"));
    }

    void showsSpeedAndQuality()
    {
        ui::SpeedPanel panel;
        panel.show(sample::comparison(33, true));
        QCOMPARE(text(panel, "kernelGups"), QStringLiteral("4.34"));
        QVERIFY(text(panel, "totalGups").startsWith(QStringLiteral("3.11")));
        QCOMPARE(text(panel, "rmse"), QStringLiteral("2.10e−5"));
        QCOMPARE(text(panel, "psnr"), QStringLiteral("61.2"));
        QVERIFY(text(panel, "metricsAgainst").contains(QStringLiteral("A against exact method, double precision")));
        QVERIFY(text(panel, "metricsAgainst").contains(QStringLiteral("90")));
        QVERIFY(text(panel, "settingsLine").contains(QStringLiteral("cpu · linear · float")));
        ui::Comparison c = sample::comparison(33);
        c.against.kind = ui::ReferenceChoice::Kind::phantom;
        panel.show(c);
        QVERIFY(text(panel, "metricsAgainst").contains(QStringLiteral("phantom")));
        c = sample::comparison(33, true);
        c.chosen = 1;
        panel.show(c);
        QCOMPARE(text(panel, "ssim"), QStringLiteral("0.9987"));
        c.compared[1].metrics = engine::Metrics{.psnrDb = INFINITY, .ssim = 1};
        panel.show(c);
        QVERIFY(text(panel, "metricsAgainst").contains(QStringLiteral("identical")));
        panel.clear();
        QCOMPARE(text(panel, "kernelGups"), QStringLiteral("–"));
        QCOMPARE(text(panel, "rmse"), QStringLiteral("–"));
    }

    // The speed in words, and the share of each limit; what isn't measured yet, or not counted, is said.
    void saysWhatLimitsTheKernel()
    {
        ui::SpeedPanel panel;
        panel.show(sample::comparison(33, true));
        QVERIFY2(text(panel, "speedInWords").startsWith(QStringLiteral("A slice of 33 × 33 pixels from ")),
                 qPrintable(text(panel, "speedInWords")));
        QCOMPARE(text(panel, "limiter"), QStringLiteral("Measured when the program is idle."));
        ui::Speeds speeds{engine::spreadOf({8.0}), engine::spreadOf({4.0}), engine::spreadOf({1.0})};
        speeds.limits = {{"shuffles", 10, 2}, {"multiply-adds", 40, 1}};
        panel.setRuns(speeds);
        QCOMPARE(text(panel, "limiter"), QStringLiteral("Limited by shuffles: 80 % of the rate that this device has."));
        const QString bars = child<QWidget>(panel, "limits")->accessibleDescription();
        QCOMPARE(bars, QStringLiteral("shuffles 80 %; multiply-adds 20 %"));
        QVERIFY(child<QLabel>(panel, "deviceState")->isHidden()); // no GPU
        speeds.gpu = {.clockMhz = 1980, .watts = 512, .celsius = 54, .usedBytes = 12e9, .totalBytes = 139e9};
        panel.setRuns(speeds);
        QCOMPARE(text(panel, "deviceState"), QStringLiteral("1980 MHz · 512 W · 54 °C · 12 of 139 GB"));
        speeds.limits->clear();
        panel.setRuns(speeds);
        QVERIFY(text(panel, "limiter").contains(QStringLiteral("for the same units")));
        QVERIFY(child<QWidget>(panel, "limits")->accessibleDescription().isEmpty());
        panel.clear();
        QVERIFY(text(panel, "speedInWords").isEmpty());
    }

    // Bars lie one after another; what was reused takes no time of this run; the last row is the time that passed.
    void stagesOneAfterAnother()
    {
        engine::Timings times;
        times.read = {1, false};
        times.prepare = {2, true};
        times.filter = {1, false};
        times.kernelSeconds = 5;
        times.backprojectSeconds = 8;
        times.elapsedSeconds = 8;
        const std::vector<ui::BarRow> rows = ui::stageRows(&times);
        QCOMPARE(rows.size(), std::size_t(7));
        const double whole = 10; // 1 + 1 + 5 + 3
        const double begins[] = {0, 1, 1, 1, 2, 7, 0}, lengths[] = {1, 2, 0, 1, 5, 3, 8};
        for (std::size_t k = 0; k < rows.size(); ++k) {
            QVERIFY2(std::abs(rows[k].begin - begins[k] / whole) < 1e-12, qPrintable(rows[k].label));
            QVERIFY2(std::abs(rows[k].share - lengths[k] / whole) < 1e-12, qPrintable(rows[k].label));
            QCOMPARE(rows[k].isHatched, k == 1);
        }
        QVERIFY(rows.back().explanation.contains(QStringLiteral("10.0")));
        for (const ui::BarRow& row : ui::stageRows(nullptr))
            QVERIFY(row.share < 0);
        // Of a GPU that tells them: uploads before the filter, downloads after the kernel, and what is left of 8 − 5.
        times.uploadSeconds = 1;
        times.downloadSeconds = 0.5;
        const std::vector<ui::BarRow> copies = ui::stageRows(&times);
        QCOMPARE(copies.size(), std::size_t(9));
        const double gpu[] = {1, 2, 0, 1, 1, 5, 0.5, 1.5, 8};
        for (std::size_t k = 0; k < copies.size(); ++k)
            QVERIFY2(std::abs(copies[k].share - gpu[k] / whole) < 1e-12, qPrintable(copies[k].label));
        QVERIFY(std::abs(copies[3].begin - 1 / whole) < 1e-12 && std::abs(copies[6].begin - 8 / whole) < 1e-12);
    }

    void historyGrowsByNewResultsOnly()
    {
        ui::SpeedPanel panel;
        const auto* history = panel.findChild<ui::HistoryChart*>();
        ui::Comparison c = sample::comparison(33);
        panel.show(sample::previewed(sample::comparison(33)));
        QCOMPARE(history->entries().size(), 0);
        QCOMPARE(text(panel, "kernelGups"), QStringLiteral("–"));
        panel.show(c);
        c.compared[0].metrics->rmse = 1; // the same result, with later figures
        panel.show(c);
        QCOMPARE(history->entries().size(), 1);
        QVERIFY(history->entries()[0].settings.contains(QStringLiteral("linear")));
        panel.show(sample::comparison(33));
        QCOMPARE(history->entries().size(), 2);
        panel.clear();
        QCOMPARE(history->entries().size(), 0);
    }

    void progressOnlyForWorkThatLasts()
    {
        ui::SpeedPanel panel;
        panel.resize(240, 640);
        panel.QWidget::show();
        QVERIFY(isExposed(&panel));
        auto* row = child<QWidget>(panel, "busyRow");
        auto* history = panel.findChild<ui::HistoryChart*>();
        const QPoint place = history->mapTo(&panel, QPoint());
        panel.setBusy(true, QStringLiteral("filter"), 0.1);
        QVERIFY(row->isHidden());
        panel.setBusy(false);
        QVERIFY(row->isHidden() && !hasPendingTimer(*row));
        panel.setBusy(true, QStringLiteral("filter"), 0.1);
        panel.setBusy(true, QStringLiteral("filter"), 0.4);
        QTRY_VERIFY(row->isVisible());
        QCOMPARE(panel.findChild<QProgressBar*>()->value(), 400);
        QCOMPARE(history->mapTo(&panel, QPoint()), place);
        QSignalSpy spy(&panel, &ui::SpeedPanel::cancelRequested);
        QTest::mouseClick(child<QAbstractButton>(panel, "cancel"), Qt::LeftButton);
        QCOMPARE(spy.count(), 1);
        panel.setBusy(false);
        QVERIFY(row->isHidden());
        QCOMPARE(history->mapTo(&panel, QPoint()), place);
    }

    void notesAreShown()
    {
        ui::SpeedPanel panel;
        ui::Comparison c = sample::comparison(33);
        auto result = std::make_shared<engine::Reconstruction>(*c.a().result);
        result->notes = {"3 dead pixels were interpolated."};
        c.compared.front().result = result;
        panel.show(c);
        QVERIFY(text(panel, "notes").contains(QStringLiteral("interpolated")));
    }
};

SINOSCOPE_TEST(SpeedPanelTest, QApplication)
#include "speed_panel_test.moc"
