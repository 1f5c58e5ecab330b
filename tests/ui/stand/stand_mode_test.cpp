// SPDX-License-Identifier: GPL-3.0-or-later
// The stand mode: settings that can run, true speeds and errors, and a key that ends it.
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"
#include "tests/ui/fixtures.h"
#include "ui/stand/stand_mode.h"

#include <QPointer>

#include <set>

using namespace fixtures;

class StandModeTest : public QObject
{
    Q_OBJECT

    static engine::Request request()
    {
        engine::Simulation simulation;
        simulation.size = 64;
        simulation.projections = 90;
        simulation.counts = false;
        engine::Request request;
        request.scan = engine::simulate(simulation);
        request.resources.device.backend = "cpu";
        return request;
    }

  private slots:
    void stepsCanRunHere()
    {
        const auto steps = ui::standSteps(request());
        QVERIFY(steps.size() >= 5);
        for (const ui::StandStep& step : steps) {
            QVERIFY(!step.name.isEmpty() && step.text.endsWith(u'.'));
            QVERIFY(!step.setting.kernel.method.starts_with("exact"));
            engine::Request one = request();
            one.setting = step.setting;
            QVERIFY(!engine::Reconstructor().run(one).image.values.empty());
        }
    }

    // Each setting is measured; nearest is coarser than the others.
    void measuresEachSetting()
    {
        ui::StandRun run(request(), 0.05);
        const auto isDone = [&] {
            const ui::StandState state = run.state();
            return std::ranges::all_of(state.speeds,
                                       [](const auto& speed) { return speed.error >= 0 && !speed.kernelGups.empty(); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isDone(), 60000);
        const ui::StandState state = run.state();
        QVERIFY(state.problem.isEmpty() && state.image);
        double nearest = 0, linear = 1;
        for (std::size_t k = 0; k < run.steps().size(); ++k) {
            const engine::Kernel& kernel = run.steps()[k].setting.kernel;
            if (kernel.interpolation == engine::Interpolation::nearest)
                nearest = state.speeds[k].error;
            if (kernel.interpolation == engine::Interpolation::linear && kernel.precision == engine::Precision::single)
                linear = state.speeds[k].error;
        }
        QVERIFY2(nearest > 100 * linear && linear < 1e-5, qPrintable(QStringLiteral("%1 %2").arg(nearest).arg(linear)));
    }

    // Other programs' speeds are those of the same kind of device and beam, one for each program.
    void otherPrograms()
    {
        engine::Reconstruction made;
        made.request = request();
        const engine::PublishedGroup& here = ui::standGroup(made);
        QVERIFY(!here.isOfGpu);
        made.texelsPerSecond = 1;
        QVERIFY(ui::standGroup(made).isOfGpu && !ui::standGroup(made).isCone && !ui::standGroup(made).hasFilter);
        for (const engine::PublishedGroup& group : engine::publishedGroups()) {
            const auto others = ui::standOthers(group);
            QVERIFY(!others.empty() && others.size() <= 5);
            std::set<std::string> names;
            for (const engine::PublishedSpeed& one : others)
                QVERIFY(!one.isOurs && names.insert(one.program).second);
        }
    }

    void anyKeyEnds()
    {
        for (const bool byKey : {true, false}) {
            QPointer<ui::StandMode> stand = new ui::StandMode(request(), 0.05);
            stand->resize(640, 400);
            stand->show();
            QVERIFY(isExposed(stand));
            QTRY_VERIFY_WITH_TIMEOUT(stand->state().image != nullptr, 60000);
            QVERIFY(!stand->grab().toImage().isNull());
            if (byKey)
                QTest::keyClick(stand, Qt::Key_Space);
            else
                QTest::mouseClick(stand, Qt::LeftButton);
            QTRY_VERIFY(stand.isNull());
        }
    }

    // The newest slice is drawn, whichever it is.
    void imageOfEverySlice()
    {
        engine::Simulation simulation;
        simulation.phantom = engine::Phantom::sheppLogan3d;
        simulation.size = 32;
        simulation.projections = 40;
        simulation.slices = 5;
        simulation.counts = false;
        engine::Request volume = request();
        volume.scan = engine::simulate(simulation);
        QPointer<ui::StandMode> stand = new ui::StandMode(volume, 0.2);
        stand->resize(640, 400);
        stand->show();
        QVERIFY(isExposed(stand));
        std::set<int> slices;
        int least = std::numeric_limits<int>::max();
        QTRY_VERIFY_WITH_TIMEOUT(stand->state().image != nullptr, 60000);
        const auto look = [&] {
            slices.insert(stand->state().image->request.place.slices().first);
            const QImage drawn = stand->grab().toImage();
            int bright = 0;
            for (int y = 0; y < drawn.height(); y += 2)
                for (int x = 0; x < drawn.width() / 2; x += 2)
                    bright += qGray(drawn.pixel(x, y)) > 60;
            least = std::min(least, bright);
            return slices.size() >= 3;
        };
        QVERIFY(comes(look));
        QVERIFY2(least > 500, qPrintable(QString::number(least)));
        stand->close();
    }

    void problemIsSaid()
    {
        engine::Request broken = request();
        broken.setting.axis = {engine::AxisSettings::Mode::given, 1e9};
        ui::StandRun run(broken, 0.05);
        QTRY_VERIFY_WITH_TIMEOUT(!run.state().problem.isEmpty(), 60000);
    }
};

SINOSCOPE_TEST(StandModeTest, QApplication)
#include "stand_mode_test.moc"
