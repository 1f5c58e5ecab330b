// SPDX-License-Identifier: GPL-3.0-or-later
// The list of devices: OpenCL's drivers are loaded only for users who choose such a device.
#include "tests/ui/fixtures.h"
#include "ui/settings/device_combo.h"

#include <QSignalSpy>

using namespace ui;

namespace
{

engine::Devices twoDevices()
{
    engine::Devices found;
    engine::Device first, second;
    first.name = "Fast GPU";
    first.isGpu = true;
    second.index = 1;
    second.name = "Old GPU";
    second.unusable = "its driver has no compiler";
    found.devices = {first, second};
    return found;
}

} // namespace

class DeviceComboTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        if (!engine::openClBackend.isBuilt)
            QSKIP("this build is without OpenCL");
    }

    void driversAreAskedFor()
    {
        DeviceCombo combo;
        QSignalSpy chosen(&combo, &DeviceCombo::chosen), wanted(&combo, &DeviceCombo::devicesWanted);
        QCOMPARE(combo.findData("opencl:1"), -1);
        combo.setCurrentIndex(combo.findData("opencl"));
        QTRY_COMPARE(wanted.count(), 1);
        QCOMPARE(chosen.count(), 0);
        QCOMPARE(combo.text(), std::string("auto")); // until the device is known
        combo.offer(engine::openClBackend, twoDevices());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(combo.text(), std::string("opencl"));
        QCOMPARE(combo.currentText(), QString("Fast GPU (OpenCL)"));
        const int old = combo.findData("opencl:1");
        QVERIFY(old > 0 && !combo.isPossible(old));
        QCOMPARE(combo.reason(old), QString("its driver has no compiler"));
        combo.setCurrentIndex(combo.findData("cpu"));
        QCOMPARE(combo.text(), std::string("cpu"));
        combo.setCurrentIndex(combo.findData("opencl"));
        QCOMPARE(combo.text(), std::string("opencl"));
        QCOMPARE(wanted.count(), 1); // once is enough
    }

    void sessionAsksForThem()
    {
        DeviceCombo combo;
        combo.setText("opencl");
        QSignalSpy wanted(&combo, &DeviceCombo::devicesWanted); // nobody listens before the window is there
        QTRY_COMPARE(wanted.count(), 1);
        QCOMPARE(combo.text(), std::string("auto"));
        combo.offer(engine::openClBackend, twoDevices());
        QCOMPARE(combo.text(), std::string("opencl"));
    }

    void withoutDevices()
    {
        DeviceCombo combo;
        combo.setCurrentIndex(combo.findData("opencl"));
        engine::Devices none;
        none.reason = "no OpenCL driver is installed";
        QSignalSpy chosen(&combo, &DeviceCombo::chosen);
        combo.offer(engine::openClBackend, none);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(combo.text(), std::string("auto"));
        QCOMPARE(combo.reason(combo.findData("opencl")), QString("no OpenCL driver is installed"));
    }
};

SINOSCOPE_TEST(DeviceComboTest, QApplication)
#include "device_combo_test.moc"
#include "engine/backends/backend.h"
