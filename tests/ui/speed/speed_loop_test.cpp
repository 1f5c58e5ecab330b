// SPDX-License-Identifier: GPL-3.0-or-later
// The loop over slices or axes: what each turn asks for, and that it runs until it is stopped.
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/fixtures.h"
#include "ui/speed/speed_loop.h"

#include <QSignalSpy>

#include <set>

using namespace fixtures;
using ui::LoopOver;

class SpeedLoopTest : public QObject
{
    Q_OBJECT

    static ui::Image image(int slices, int slice)
    {
        engine::Request request = requestFor(smallScan(32, 20, slices), "cpu");
        request.place.setSlices({slice, 1});
        return std::make_shared<engine::Reconstruction>(engine::Reconstructor().run(request));
    }

  private slots:
    void slicesRunToAndFro()
    {
        const ui::Image made = image(3, 1);
        std::vector<int> slices;
        for (int turn = 0; turn < 6; ++turn)
            slices.push_back(ui::loopRequest(*made, LoopOver::slices, turn).place.slices().first);
        QCOMPARE(slices, (std::vector{1, 2, 1, 0, 1, 2}));
        QCOMPARE(ui::loopRequest(*made, LoopOver::slices, 1).setting.axis.bins, made->axisBins); // isn't searched
        QCOMPARE(ui::loopRequest(*image(1, 0), LoopOver::slices, 5).place.slices().first, 0);
    }

    void axesStayNearTheOneThatWasUsed()
    {
        const ui::Image made = image(2, 1);
        std::set<double> axes;
        for (int turn = 0; turn < 48; ++turn) {
            const engine::Request request = ui::loopRequest(*made, LoopOver::axis, turn);
            QCOMPARE(request.place.slices().first, 1);
            axes.insert(request.setting.axis.bins);
        }
        QCOMPARE(axes.size(), std::size_t(25));
        QCOMPARE(*axes.begin(), made->axisBins - 3);
        QCOMPARE(*axes.rbegin(), made->axisBins + 3);
        QCOMPARE(ui::loopRequest(*made, LoopOver::axis, 0).setting.axis.bins, made->axisBins);
    }

    void runsUntilItIsStopped()
    {
        ui::SpeedLoop loop;
        std::set<int> seen;
        connect(&loop, &ui::SpeedLoop::ran, this, [&](const ui::LoopTurns& turns) {
            QVERIFY(!turns.runs.empty() && turns.runs.back().kernelGups > 0);
            seen.insert(turns.newest->request.place.slices().first);
        });
        QSignalSpy ran(&loop, &ui::SpeedLoop::ran), ended(&loop, &ui::SpeedLoop::ended);
        loop.start(image(5, 2), LoopOver::slices);
        QVERIFY(loop.over() == LoopOver::slices);
        QTRY_VERIFY_WITH_TIMEOUT(ran.count() >= 3, patienceMs);
        loop.stop();
        QCOMPARE(ended.count(), 1);
        QVERIFY(ended.front().front().toString().isEmpty());
        QVERIFY(loop.over() == LoopOver::none);
        loop.stop();
        QCOMPARE(ended.count(), 1);
    }

    void failureIsSaid()
    {
        const ui::Image made = image(2, 0);
        auto broken = std::make_shared<engine::Reconstruction>(*made);
        broken->request.setting.kernel.method = "nonsense";
        ui::SpeedLoop loop;
        QSignalSpy ended(&loop, &ui::SpeedLoop::ended);
        loop.start(broken, LoopOver::axis);
        QVERIFY(ended.wait(patienceMs));
        QVERIFY(ended.front().front().toString().contains(QStringLiteral("nonsense")));
        QVERIFY(loop.over() == LoopOver::none);
    }
};

SINOSCOPE_TEST(SpeedLoopTest, QApplication)
#include "speed_loop_test.moc"
