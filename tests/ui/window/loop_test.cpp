// SPDX-License-Identifier: GPL-3.0-or-later
// The loop over slices and axes in the window: speeds roll by, and everything is as before when it ends.
#include "tests/ui/fixtures.h"
#include "ui/speed/history_chart.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace ui;
using namespace fixtures;

class LoopTest : public QObject
{
    Q_OBJECT

    static bool isLooping(MainWindow& window)
    {
        return child<QLabel>(window, "kernelUnit")->text().contains(QStringLiteral("loop"));
    }

  private slots:
    void speedsRollByAndTheResultReturns_data()
    {
        QTest::addColumn<QByteArray>("button");
        QTest::newRow("slices") << QByteArray("loopSlices");
        QTest::newRow("axes") << QByteArray("loopAxis");
    }
    void speedsRollByAndTheResultReturns()
    {
        QFETCH(QByteArray, button);
        Window window({1280, 800});
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 64, 60, 8)));
        QVERIFY(comes([&] { return window.shown().a().reference != nullptr; }));
        const Comparison before = window.shown();
        auto* loop = child<QPushButton>(window, button.constData());
        QVERIFY(loop->isEnabled());
        loop->click();
        auto* chart = child<HistoryChart>(window, "loopChart");
        QVERIFY(comes([&] { return chart->entries().size() >= 10 && isLooping(window); }));
        QVERIFY(loop->isChecked());
        QCOMPARE(window.slice(), before.slice); // the slice that the user has chosen
        loop->click();
        QVERIFY(!loop->isChecked() && !isLooping(window));
        QCOMPARE(window.shown().a().result, before.a().result);
        QVERIFY(chart->entries().size() >= 10); // stays to be looked at
    }

    void anotherImageEndsIt()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 64, 60, 8)));
        QVERIFY(settles(window));
        auto* loop = child<QPushButton>(window, "loopSlices");
        loop->click();
        QVERIFY(comes([&] { return isLooping(window); }));
        window.setSlice(2);
        QVERIFY(settles(window));
        QVERIFY(!loop->isChecked() && !isLooping(window));
        QCOMPARE(window.shown().slice, 2);
    }

    void aSingleSliceHasNoNext()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan, 64, 60)));
        QVERIFY(settles(window));
        QVERIFY(!child<QPushButton>(window, "loopSlices")->isEnabled());
        QVERIFY(child<QPushButton>(window, "loopAxis")->isEnabled());
    }
};

SINOSCOPE_TEST(LoopTest, QApplication)
#include "loop_test.moc"
