// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that are run repeatedly while the window is idle: how often, and that any input takes precedence.
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/fixtures.h"
#include "ui/speed/speed_meter.h"

#include <QSignalSpy>
#include <QWidget>

using namespace fixtures;
using ui::MeterRequest;
using ui::SpeedMeter;

namespace
{

MeterRequest meterRequest(const engine::Request& request, int runs)
{
    return {request, std::make_shared<engine::Reconstruction>(engine::Reconstructor().run(request)), runs};
}

std::vector<MeterRequest> twoRequests()
{
    engine::Request request = requestFor(smallScan(), "cpu");
    std::vector<MeterRequest> made{meterRequest(request, 1)};
    request.setting.kernel.precision = engine::Precision::half;
    made.push_back(meterRequest(request, 5));
    return made;
}

} // namespace

class SpeedMeterTest : public QObject
{
    Q_OBJECT

  private slots:
    void everySettingIsRunOftenEnough()
    {
        SpeedMeter meter;
        std::vector<int> counts;
        QSignalSpy finished(&meter, &SpeedMeter::finished);
        connect(&meter, &SpeedMeter::measured, this,
                [&](const engine::Request& request, const ui::IdleMeasurement& made) {
                    counts.push_back(static_cast<int>(made.runs.size()));
                    QVERIFY(made.inTurns);
                    for (const ui::TimedRun& run : made.runs)
                        QVERIFY(run.kernelGups > 0 && run.totalGups > 0 && run.totalSeconds > 0);
                    const bool isCounted =
                        request.setting.kernel.method == "cpu" && engine::processorTarget().starts_with("AVX");
                    QCOMPARE(!made.limits.empty(), isCounted);
                    for (const engine::Limit& limit : made.limits)
                        QVERIFY(limit.gups > 0 && limit.perUpdate > 0);
                });
        meter.measure(twoRequests());
        QVERIFY(finished.wait(patienceMs));
        QCOMPARE(counts.size(), std::size_t(2));
        QVERIFY(counts[0] >= 6 && counts[1] >= 2);
    }

    // What takes too long to be repeated has limits all the same.
    void limitsWithoutRuns()
    {
        SpeedMeter meter;
        std::vector<MeterRequest> requests = twoRequests();
        for (MeterRequest& one : requests)
            one.isRepeated = false;
        std::vector<engine::Limit> limits;
        QSignalSpy finished(&meter, &SpeedMeter::finished);
        connect(&meter, &SpeedMeter::measured, this, [&](const engine::Request&, const ui::IdleMeasurement& made) {
            QVERIFY(made.runs.empty());
            limits = made.limits;
        });
        meter.measure(requests);
        QVERIFY(finished.wait(patienceMs));
        QCOMPARE(!limits.empty(), engine::processorTarget().starts_with("AVX"));
    }

    // After an input, the meter continues with the missing runs.
    void inputInterrupts()
    {
        SpeedMeter meter;
        QWidget widget;
        int settings = 0;
        QSignalSpy finished(&meter, &SpeedMeter::finished);
        connect(&meter, &SpeedMeter::measured, this, [&] {
            if (++settings == 1)
                QTest::keyClick(&widget, Qt::Key_A);
        });
        meter.measure(twoRequests());
        QTest::mouseMove(&widget, {3, 3});
        QVERIFY(finished.wait(patienceMs));
        QCOMPARE(settings, 2);
    }

    void nothingComesAfterAStop()
    {
        SpeedMeter meter;
        QSignalSpy measured(&meter, &SpeedMeter::measured), finished(&meter, &SpeedMeter::finished);
        meter.measure(twoRequests());
        meter.stop();
        meter.measure({});
        QCoreApplication::processEvents(); // what comes later counts below
        QCOMPARE(measured.count() + finished.count(), 0);
        MeterRequest wrong = twoRequests().front();
        wrong.request.place.setSlices({7, 1}); // outside the scan
        meter.measure({wrong});                // fails silently: the image has already reported the error
        meter.measure(twoRequests());
        QVERIFY(finished.wait(patienceMs));
        QCOMPARE(measured.count(), 2);
    }
};

SINOSCOPE_TEST(SpeedMeterTest, QApplication)
#include "speed_meter_test.moc"
