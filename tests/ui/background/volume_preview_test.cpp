// SPDX-License-Identifier: GPL-3.0-or-later
// The stack of the 3-D view: its slices are those of the engine, at each resolution and for each geometry.
#include "engine/base/error.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/jobs.h"
#include "ui/background/volume_preview.h"

#include <QTest>

using namespace ui;
using namespace fixtures;

class VolumePreviewTest : public QObject
{
    Q_OBJECT

    static engine::Request requestFor(bool isCone)
    {
        const auto parallel = simulationOf(engine::Phantom::sheppLogan3d, 40, 50, 13);
        engine::Request request;
        request.scan = engine::simulate(isCone ? coneOf(40, 50, 13) : parallel);
        if (!isCone)
            request.setting.axis.mode = engine::AxisSettings::Mode::find;
        return request;
    }

  private slots:
    void slicesAreThoseOfTheEngine_data()
    {
        QTest::addColumn<bool>("isCone");
        QTest::addColumn<int>("step");
        for (const bool isCone : {false, true})
            for (const int step : {1, 2, 4})
                QTest::addRow("%s, step %d", isCone ? "cone" : "parallel", step) << isCone << step;
    }

    void slicesAreThoseOfTheEngine()
    {
        QFETCH(bool, isCone);
        QFETCH(int, step);
        const engine::Request request = requestFor(isCone);
        double done = 0;
        const auto stack = reconstructStack(request, step, [&](double fraction) { done = fraction; }, {});
        QCOMPARE(done, 1.0);
        const engine::Volume& image = stack->image;
        QVERIFY((std::array{image.width, image.height, image.slices} == sizeOfStack(request.scan, step)));
        QCOMPARE(stack->request.place.previewStep, step);
        QCOMPARE(stack->request.place.slices().count, request.scan->slices());
        for (int k = 0; k < image.slices; ++k) {
            engine::Request one = request;
            one.place.setSlices({k * step, 1});
            one.place.previewStep = step;
            const engine::Reconstruction slice = engine::Reconstructor().run(one);
            QCOMPARE(slice.axisBins, stack->axisBins);
            QVERIFY(relativeError(image.slice(k), slice.image.slice(0)) < 1e-5);
        }
    }

    void stops()
    {
        for (const int step : {1, 2}) {
            std::stop_source stop;
            const auto run = [&] {
                reconstructStack(
                    requestFor(false), step, [&](double) { stop.request_stop(); }, stop.get_token());
            };
            QVERIFY_THROWS_EXCEPTION(engine::Error, run());
        }
    }
};

SINOSCOPE_TEST(VolumePreviewTest, QCoreApplication)
#include "volume_preview_test.moc"
