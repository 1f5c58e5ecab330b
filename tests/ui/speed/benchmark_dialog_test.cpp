// SPDX-License-Identifier: GPL-3.0-or-later
// The window that runs the benchmark: its bars, its curves over the size, another report beside it, and what it saves.
#include "engine/backends/devices.h"
#include "engine/base/error.h"
#include "engine/measure/benchmark_json.h"
#include "tests/ui/fixtures.h"
#include "ui/settings/device_combo.h"
#include "ui/speed/benchmark_dialog.h"
#include "ui/speed/benchmark_plot.h"
#include "ui/speed/benchmark_rows.h"
#include "ui/speed/save_measured.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include <algorithm>

using namespace fixtures;

class BenchmarkDialogTest : public QObject
{
    Q_OBJECT

    TemporaryFolder m_folder;

    static engine::BenchmarkRow row(const std::string& method, int size, double kernelGups)
    {
        engine::BenchmarkRow made;
        made.method = method;
        made.device = "cpu";
        made.size = made.bins = made.projections = size;
        const double gigaUpdates = 1e-9 * size * size * size;
        made.kernelGups = kernelGups;
        made.kernelSeconds = gigaUpdates / kernelGups;
        made.filterSeconds = made.kernelSeconds / 2;
        made.totalSeconds = 2 * made.kernelSeconds;
        made.totalGups = kernelGups / 2;
        made.kernelRuns = {made.kernelSeconds, made.kernelSeconds, made.kernelSeconds};
        return made;
    }

    QString written(const QString& name, const std::string& text)
    {
        const QString path = m_folder.file(name);
        QFile file(path);
        [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
        file.write(text.data(), static_cast<qint64>(text.size()));
        return path;
    }

  private slots:
    void barsBesideAnotherReport()
    {
        const std::vector rows{row("alu", 64, 10), row("texture", 64, 5)};
        const auto alone = ui::benchmarkBars(rows, {});
        QCOMPARE(alone[0].share, 1.0);
        QCOMPARE(alone[1].share, 0.5);
        QVERIFY(alone[0].mark < 0 && !alone[0].value.contains(u'×'));
        const auto beside = ui::benchmarkBars(rows, {row("alu", 64, 20), row("alu", 128, 99)});
        QCOMPARE(beside.size(), std::size_t(3));
        QCOMPARE(beside[0].share, 10.0 / 99);
        QCOMPARE(beside[0].mark, 20.0 / 99);
        QVERIFY(beside[0].value.contains(QStringLiteral("× 0.500")));
        QVERIFY(beside[1].mark < 0 && !beside[1].isQuiet);
        QVERIFY(beside[2].isQuiet && beside[2].share == 1.0 && beside[2].label.contains(QStringLiteral("128²")));
        std::vector steps{row("standard", 64, 5), row("alu", 64, 10)};
        steps[0].step = "standard";
        steps[1].step = "ALU";
        steps[1].paperFactor = 1.5;
        const auto ofPaper = ui::benchmarkBars(steps, {});
        QVERIFY(ofPaper[1].value.contains(QStringLiteral("× 2.00, paper × 1.50")));
        QCOMPARE(ofPaper[1].mark, 0.75);
        QVERIFY(ofPaper[0].mark < 0 && ofPaper[0].otherMark < 0 && !ofPaper[1].error);
        QCOMPARE(ofPaper[1].label, QStringLiteral("ALU"));
        QVERIFY(ofPaper[1].explanation.startsWith(QStringLiteral("ALU · alu · linear")));
        steps[1].paperFactorOpenMp = 1.2;
        steps[1].relativeError = 1e-3;
        const auto both = ui::benchmarkBars(steps, {});
        QVERIFY(both[1].value.contains(QStringLiteral("paper × 1.50, OpenMP × 1.20")));
        QCOMPARE(both[1].otherMark, 0.6);
        QCOMPARE(*both[1].error, 1e-3);
        QVERIFY(both[1].explanation.contains(QStringLiteral("60.0 dB")));
        ui::BarRows bars(QStringLiteral("steps"));
        bars.setRows(ofPaper);
        const int before = bars.sizeHint().height();
        bars.setRows(both);
        QCOMPARE(bars.sizeHint().height(), before / 2 * 3); // a heading for the errors
        QVERIFY(bars.accessibleDescription().contains(QStringLiteral("error 0.00100")));
        const QString legend = ui::legendOfSteps(steps, "ladder");
        QVERIFY(legend.contains(QStringLiteral("Table 3")) && legend.contains(u'◆') && legend.contains(u'●'));
        QVERIFY(ui::legendOfSteps(steps, {}).isEmpty());
        // Those of the filter, by its speed.
        for (engine::BenchmarkRow& one : steps) {
            one.filterSeconds = one.step == "ALU" ? 1e-6 : 3e-6;
            addFilterFigures(one);
        }
        const auto ofFilter = ui::benchmarkBars(steps, {});
        QVERIFY(ofFilter[1].value.contains(QStringLiteral("filtered values/s × 3.00, paper × 1.50")));
        QCOMPARE(ofFilter[0].share, 1.0 / 3);
        // Runs that scatter by more than the difference.
        std::vector scattered{row("alu", 64, 10)}, elsewhere{row("alu", 64, 11)};
        scattered[0].kernelRuns = {scattered[0].kernelSeconds * 0.8, scattered[0].kernelSeconds,
                                   scattered[0].kernelSeconds * 1.2};
        QVERIFY(ui::benchmarkBars(scattered, elsewhere)[0].value.contains(QStringLiteral("within the scatter")));
        const ui::SpreadBox box = *ui::benchmarkBars(scattered, {})[0].spread; // 8.33, 10 and 12.5 GU/s
        QVERIFY(std::abs(box.least - 1 / 1.5) < 1e-9 && std::abs(box.most - 1) < 1e-9);
        QVERIFY(box.least < box.lower && box.lower < box.upper && box.upper < box.most);
        QVERIFY(!beside[0].value.contains(QStringLiteral("scatter")));
        engine::BenchmarkRow tooShort = rows[0];
        tooShort.kernelGups = tooShort.kernelSeconds = 0; // by a coarse clock
        const auto ofCoarse = ui::benchmarkBars({tooShort}, {});
        QCOMPARE(ofCoarse[0].share, 0.0);
        QVERIFY(ofCoarse[0].value.startsWith(u'–') && ofCoarse[0].explanation.contains(QStringLiteral("larger")));
        engine::BenchmarkRow unsteady = rows[0];
        unsteady.clockBeforeMhz = 2000;
        unsteady.clockAfterMhz = 1500;
        QVERIFY(ui::benchmarkBars({unsteady}, {})[0].explanation.contains(QStringLiteral("changed")));
        unsteady.clockAfterMhz = 1990;
        QVERIFY(!ui::benchmarkBars({unsteady}, {})[0].explanation.contains(QStringLiteral("changed")));
    }

    void labelsNameWhatDiffers()
    {
        engine::BenchmarkRow one = row("alu", 64, 1);
        one.slicesPerPass = 4;
        one.interpolation = engine::Interpolation::oversampled;
        QCOMPARE(ui::benchmarkLabel(one, true), QStringLiteral("alu · oversampled ×4 · float · 4 slices · 64²"));
        one.step = "Z order";
        one.variant = "z-order";
        QVERIFY(ui::benchmarkLabel(one, false).startsWith(QStringLiteral("Z order · alu (z-order)")));
    }

    void orderAndTitle()
    {
        std::vector rows{row("exact", 64, 1), row("cpu", 64, 8), row("cpu", 64, 2), row("cpu", 32, 2)};
        rows[1].slicesPerPass = 8;
        const auto ordered = ui::inOrder(rows);
        QCOMPARE(ordered[0].size, 32);
        QCOMPARE(ordered[1].method, std::string("exact"));
        QCOMPARE(ordered[2].slicesPerPass, 1);
        QVERIFY(!ui::benchmarkTitle(rows).contains(QStringLiteral("pixels"))); // of several sizes
        rows.pop_back();
        QVERIFY(ui::benchmarkTitle(rows).contains(QStringLiteral("64 × 64 pixels from 64 projections, 20")));
        rows[0].step = "standard";
        QCOMPARE(ui::inOrder(rows)[1].slicesPerPass, 8); // a paper's order stays
    }

    void curvesOverTheSize()
    {
        const std::vector rows{row("alu", 64, 10), row("alu", 128, 12), row("texture", 64, 20), row("texture", 32, 18),
                               row("lonely", 64, 50)};
        const auto curves = ui::sizeCurvesOf(rows);
        QCOMPARE(curves.size(), std::size_t(2));
        QCOMPARE(curves[1].rows.front().size, 32);                                // rising
        QCOMPARE(ui::fastestOf(curves)->rows.front().method, std::string("alu")); // has the largest size
        QVERIFY(!ui::fastestOf({}));
        ui::BenchmarkPlot plot;
        plot.show(rows);
        QVERIFY(plot.accessibleDescription().contains(QStringLiteral("12")));
        // Three parts of a bar, a curve for each method, the time that passed.
        QCOMPARE(plot.plottableCount(), 3 + 2 + 1);
        std::vector withCopies = rows;
        withCopies[1].uploadSeconds = withCopies[1].downloadSeconds = 0.1 * withCopies[1].kernelSeconds;
        plot.show(withCopies);
        QCOMPARE(plot.plottableCount(), 5 + 2 + 1);
    }

    void measuresAndSaves()
    {
        ui::BenchmarkDialog dialog;
        QVERIFY(!child<QPushButton>(dialog, "saveBenchmark")->isEnabled());
        child<QSpinBox>(dialog, "benchmarkSize")->setValue(16);
        child<QSpinBox>(dialog, "benchmarkProjections")->setValue(4);
        child<QSpinBox>(dialog, "benchmarkRuns")->setValue(2);
        QSignalSpy measured(&dialog, &ui::BenchmarkDialog::measured);
        child<QPushButton>(dialog, "measureBenchmark")->click();
        QVERIFY(measured.wait(60000));
        QVERIFY(child<QLabel>(dialog, "benchmarkMessage")->text().contains(QStringLiteral("Left out: exact")));
        QVERIFY(child<QPushButton>(dialog, "saveBenchmark")->isEnabled());
        QVERIFY(child<ui::BarRows>(dialog, "benchmarkBars")->accessibleDescription().contains(QStringLiteral("cpu")));
    }

    void everyKindCanBeMeasured()
    {
        const auto kinds = ui::benchmarkKinds();
        QVERIFY(kinds.size() >= 8);
        ui::BenchmarkDialog dialog;
        auto* what = child<QComboBox>(dialog, "benchmarkKind");
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            what->setCurrentIndex(static_cast<int>(k));
            QCOMPARE(child<QSpinBox>(dialog, "benchmarkSize")->isEnabled(), !kinds[k].overSizes);
        }
    }

    // Chosen, the device's drivers are loaded in the background; a step that it lacks is named.
    void stepsOfAnotherDevice()
    {
        if (engine::usableDevices(engine::openClBackend).empty())
            QSKIP("no OpenCL device");
        ui::BenchmarkDialog dialog;
        auto* device = child<ui::DeviceCombo>(dialog, "benchmarkDevice");
        chooseValue(device, "opencl");
        QTRY_COMPARE(device->text(), std::string("opencl"));
        auto* what = child<QComboBox>(dialog, "benchmarkKind");
        const auto kinds = ui::benchmarkKinds();
        what->setCurrentIndex(static_cast<int>(
            std::ranges::find(kinds, std::string("steps-1"), &ui::BenchmarkKind::steps) - kinds.begin()));
        child<QSpinBox>(dialog, "benchmarkSize")->setValue(32);
        child<QSpinBox>(dialog, "benchmarkProjections")->setValue(8);
        child<QSpinBox>(dialog, "benchmarkRuns")->setValue(1);
        QSignalSpy measured(&dialog, &ui::BenchmarkDialog::measured);
        child<QPushButton>(dialog, "measureBenchmark")->click();
        QVERIFY(measured.wait(120000));
        QVERIFY(
            child<ui::BarRows>(dialog, "benchmarkBars")->accessibleDescription().contains(QStringLiteral("Z order")));
        const QString said = child<QLabel>(dialog, "benchmarkMessage")->text();
        QVERIFY2(said.contains(QStringLiteral("Left out: reduced by shuffles")), qPrintable(said));
    }

    void anotherReport()
    {
        engine::Benchmark made;
        std::vector<engine::BenchmarkRow>& rows = made.rows = {row("alu", 64, 10), row("alu", 128, 12)};
        rows[0].limits = {{"shared memory", 20, 8}};
        const QString path = written(QStringLiteral("other.json"), engine::benchmarkJson(made));
        const engine::Benchmark read = engine::readBenchmark(path.toStdString());
        QCOMPARE(read.rows.size(), std::size_t(2));
        QCOMPARE(read.rows[1].kernelGups, 12.0);
        QCOMPARE(read.rows[0].limits.front().unit, std::string("shared memory"));
        QVERIFY(engine::sameSetting(read.rows, rows[1]) == &read.rows[1]);
        ui::BenchmarkDialog dialog;
        dialog.compareWith(path);
        QVERIFY(!child<QLabel>(dialog, "benchmarkBeside")->isHidden());
        QVERIFY(!child<ui::BenchmarkPlot>(dialog, "benchmarkPlot")->isHidden());
        QVERIFY(!child<QPushButton>(dialog, "saveBenchmark")->isEnabled()); // it is not of this machine
    }

    // Reports of older versions and files of results: without a device, or with its name.
    void olderReports()
    {
        const QString path = written(QStringLiteral("older.json"), R"({"device": "NVIDIA H200", "rows": [
            {"method":"alu","interpolation":"linear","precision":"float","kernelGups":1,"device":"NVIDIA H200"},
            {"method":"gone","interpolation":"linear","precision":"half","kernelGups":2,"paperFactor":1.5}]})");
        ui::BenchmarkDialog dialog;
        dialog.compareWith(path);
        QVERIFY(child<QLabel>(dialog, "benchmarkBeside")->text().contains(QStringLiteral("NVIDIA H200")));
        QCOMPARE(engine::readBenchmark(path.toStdString()).rows[0].device, std::string("cuda"));
    }

    void damagedReports_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("not JSON") << "{"
                                  << "damaged";
        QTest::newRow("no rows") << "{\"rows\": []}"
                                 << "rows";
        QTest::newRow("a list") << "[1]"
                                << "rows";
        QTest::newRow("no speed") << R"({"rows":[{"method":"alu","interpolation":"linear","precision":"float"}]})"
                                  << "kernelGups";
        QTest::newRow("negative") << R"({"rows":[{"method":"alu","interpolation":"linear","precision":"float",
            "kernelGups":1,"totalSeconds":-1}]})"
                                  << "totalSeconds";
        QTest::newRow("unknown interpolation")
            << R"({"rows":[{"method":"alu","interpolation":"best","precision":"float","kernelGups":1}]})"
            << "best";
        QTest::newRow("a text") << R"({"rows":[{"method":"alu","interpolation":"linear","precision":"float",
            "kernelGups":"fast"}]})"
                                << "type";
        QTest::newRow("a run of no time") << R"({"rows":[{"method":"alu","interpolation":"linear","precision":"float",
            "kernelGups":1,"kernelSecondsOfRuns":[0]}]})"
                                          << "run";
    }
    void damagedReports()
    {
        QFETCH(QString, text);
        QFETCH(QString, part);
        const QString path = written(QStringLiteral("damaged.json"), text.toStdString());
        ui::BenchmarkDialog dialog;
        dialog.compareWith(path);
        const QString said = child<QLabel>(dialog, "benchmarkMessage")->text();
        QVERIFY2(said.contains(QStringLiteral("damaged.json")) && said.contains(part), qPrintable(said));
        QVERIFY(child<QLabel>(dialog, "benchmarkBeside")->isHidden());
    }

    void closingCancels()
    {
        ui::BenchmarkDialog dialog;
        child<QPushButton>(dialog, "measureBenchmark")->click();
        dialog.reject();
        QTRY_VERIFY(child<QPushButton>(dialog, "measureBenchmark")->isEnabled());
    }
};

SINOSCOPE_TEST(BenchmarkDialogTest, QApplication)
#include "benchmark_dialog_test.moc"
