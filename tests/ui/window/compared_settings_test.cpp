// SPDX-License-Identifier: GPL-3.0-or-later
// The list of settings in the real window, operated like a user does.
#include "engine/backends/backend.h"
#include "engine/filter/windows.h"
#include "tests/ui/fixtures.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

using namespace ui;
using namespace fixtures;

class ComparedSettingsTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<Window> m_window;

    template <typename T>
    T* field(const char* name)
    {
        return child<T>(*m_window, name);
    }
    void press(const char* name) { field<QToolButton>(name)->click(); }
    void preset(int k) { field<QToolButton>("presets")->menu()->actions()[k]->trigger(); }
    const Comparison& shown() { return m_window->shown(); }

  private slots:
    void init()
    {
        m_window = std::make_unique<Window>();
        QVERIFY(m_window->opensSmall());
    }
    void cleanup() { m_window.reset(); }

    void editsTheChosenOneAlone()
    {
        auto* rows = field<QListWidget>("settingList");
        press("addSetting");
        QCOMPARE(rows->count(), 2);
        QCOMPARE(rows->currentRow(), 1);
        chooseValue(field<QComboBox>("interpolation"), "nearest");
        chooseValue(field<QComboBox>("filter"), "hann");
        QVERIFY(settles(*m_window));
        QCOMPARE(shown().compared.size(), std::size_t(2));
        QCOMPARE(shown().compared[0].result->request.setting.kernel.interpolation, engine::Interpolation::linear);
        QCOMPARE(shown().compared[1].result->request.setting.filter.window, engine::Window::hann);
        QVERIFY(shown().compared[0].metrics->rmse != shown().compared[1].metrics->rmse);
        QVERIFY(shown().planeA().title.startsWith(QStringLiteral("B · ")));
        QVERIFY2(rows->item(1)->text().contains(QStringLiteral("nearest · hann")), qPrintable(rows->item(1)->text()));
        QVERIFY(rows->item(1)->text().contains(QStringLiteral("GU/s")));
        rows->setCurrentRow(0);
        QCOMPARE(field<QComboBox>("filter")->currentData().toString(), QStringLiteral("ram-lak"));
        QVERIFY(settles(*m_window));
        QVERIFY(shown().planeA().title.startsWith(QStringLiteral("A · ")));
    }

    // Settings carried over from the previous scan are named, until the user edits one.
    void settingsOfTheLastScanAreNamed()
    {
        auto* carried = field<QWidget>("carriedOver");
        QVERIFY(!carried->isVisibleTo(m_window.get()));
        chooseValue(field<QComboBox>("filter"), "hann");
        QVERIFY(settles(*m_window));
        QVERIFY(!carried->isVisibleTo(m_window.get()));
        QVERIFY(m_window->opensSmall());
        QVERIFY(carried->isVisibleTo(m_window.get()));
        QCOMPARE(field<QLabel>("carriedOverText")->text(), QStringLiteral("Kept from the last scan: filter hann"));
        press("resetCarriedOver");
        QVERIFY(settles(*m_window));
        QVERIFY(!carried->isVisibleTo(m_window.get()));
        QCOMPARE(shown().a().result->request.setting.filter.window, engine::Window::ramLak);
        QVERIFY(m_window->opensSmall());
        QVERIFY(!carried->isVisibleTo(m_window.get()));
    }

    // A tilt of the axis belongs to one scan; the next one starts without, and the notice says so.
    void tiltOfTheLastScanIsNotKept()
    {
        m_window->settings().setAxis(23.5, 0.4);
        QVERIFY(settles(*m_window));
        QVERIFY(m_window->opensSmall());
        QVERIFY(m_window->settings().list().chosen().setting == engine::Setting());
        QVERIFY(field<QWidget>("carriedOver")->isVisibleTo(m_window.get()));
        QCOMPARE(field<QLabel>("carriedOverText")->text(),
                 QStringLiteral("Not kept, as it belongs to the last scan: axis tilt 0.4"));
        QVERIFY(!field<QToolButton>("resetCarriedOver")->isVisibleTo(m_window.get()));
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->settings().list().chosen().setting.preparation.values.at("axis-tilt"), 0.4);
    }

    // A setting that prepares the scan otherwise has an exact result of its own: a hint says what the difference hides.
    void whatTheDifferenceHidesIsSaid()
    {
        press("addSetting");
        chooseValue(field<QComboBox>("interpolation"), "nearest");
        QVERIFY(settles(*m_window));
        QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message())); // the difference shows it
        chooseValue(field<QComboBox>("filter"), "hann");
        QVERIFY(settles(*m_window));
        QVERIFY2(m_window->message().contains(QStringLiteral("doesn't show what filter hann changes")),
                 qPrintable(m_window->message()));
        field<QWidget>("messageBar")->findChild<QPushButton*>()->click();
        QVERIFY(settles(*m_window));
        QCOMPARE(shown().against.kind, ReferenceChoice::Kind::setting);
        QCOMPARE(shown().against.id, shown().compared.front().id);
        QVERIFY(m_window->message().isEmpty());
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(settles(*m_window));
        QCOMPARE(shown().against.kind, ReferenceChoice::Kind::exact);
        QVERIFY(m_window->message().isEmpty()); // said before
    }

    // What the next scan can't do is named, and settings that have become equal are merged.
    void whatTheNextScanCannotDoIsNamed()
    {
        presetAction(*m_window, "interpolations")->trigger();
        QVERIFY(settles(*m_window));
        QCOMPARE(field<QListWidget>("settingList")->count(), 5);
        QVERIFY(m_window->opensSimulation(coneOf(24, 30, 8)));
        QVERIFY(field<QWidget>("carriedOver")->isVisibleTo(m_window.get()));
        const QString said = field<QLabel>("carriedOverText")->text();
        QVERIFY2(said.contains(QStringLiteral("Not possible for this scan: oversampled ×2, oversampled ×4, "
                                              "oversampled ×8 (linear instead)")),
                 qPrintable(said));
        std::vector<std::string> names;
        for (const NamedSetting& one : m_window->settings().list().settings)
            names.push_back(one.name);
        QCOMPARE(names, (std::vector<std::string>{"nearest", "linear"}));
        QVERIFY(m_window->opensSimulation(coneOf(24, 30, 4))); // which can do all of the rest
        QVERIFY(!field<QLabel>("carriedOverText")->text().contains(QStringLiteral("Not possible")));
    }

    // A kernel that the chosen device doesn't have is named, until the next edit.
    void whatTheDeviceCannotDoIsNamed()
    {
        engine::Devices devices = engine::cudaBackend.devices();
        if (devices.devices.empty())
            devices.devices.emplace_back();
        m_window->settings().setDevices(engine::cudaBackend, devices);
        chooseValue(field<QComboBox>("method"), QStringLiteral("cpu"));
        QVERIFY(settles(*m_window));
        auto* notice = field<QWidget>("carriedOver");
        QVERIFY(!notice->isVisibleTo(m_window.get()));
        chooseValue(field<QComboBox>("device"), QStringLiteral("cuda"));
        QCOMPARE(field<QComboBox>("method")->currentData().toString(), QStringLiteral("auto"));
        QVERIFY(notice->isVisibleTo(m_window.get()));
        QCOMPARE(field<QLabel>("carriedOverText")->text(),
                 QStringLiteral("Not possible on this device: cpu (auto instead)"));
        chooseValue(field<QComboBox>("device"), QStringLiteral("cpu"));
        QVERIFY(!notice->isVisibleTo(m_window.get()));
    }

    // One click compares every window of the filter; the reference is shown, too.
    void allChoicesOfAnOption()
    {
        presetAction(*m_window, "filters")->trigger();
        QVERIFY(settles(*m_window));
        QCOMPARE(shown().compared.size(), engine::filterWindows().size() - 1); // all except `none`
        for (const Compared& one : shown().compared)
            QVERIFY(one.result && (one.metrics || one.result == one.reference));
        QVERIFY(field<QLabel>("settingsLine")->text().contains(QStringLiteral("settings hold ")));
        trigger(*m_window, QKeySequence::Undo);
        QCOMPARE(m_window->settings().list().settings.size(), std::size_t(1));
    }

    void stepsBackAndForward()
    {
        const SettingList first = m_window->settings().list();
        press("addSetting");
        chooseValue(field<QComboBox>("precision"), "half");
        const SettingList last = m_window->settings().list();
        trigger(*m_window, QKeySequence::Undo);
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(m_window->settings().list() == first);
        QVERIFY(!field<QToolButton>("undo")->isEnabled());
        QCOMPARE(field<QComboBox>("precision")->currentData().toString(), QStringLiteral("float"));
        trigger(*m_window, QKeySequence::Redo);
        trigger(*m_window, QKeySequence::Redo);
        QVERIFY(m_window->settings().list() == last);
        QVERIFY(settles(*m_window));
        QCOMPARE(shown().a().result->request.setting.kernel.precision, engine::Precision::half);
    }

    void renamesHidesMovesAndRemoves()
    {
        auto* rows = field<QListWidget>("settingList");
        press("addSetting");
        press("addSetting");
        rows->item(1)->setData(Qt::EditRole, QStringLiteral("mine"));
        QVERIFY(settles(*m_window));
        QCOMPARE(shown().compared[1].name, QStringLiteral("mine"));
        rows->item(2)->setData(Qt::EditRole, QStringLiteral("  ")); // an empty name is rejected
        QCOMPARE(m_window->settings().list().settings[2].name, std::string("C"));
        rows->item(1)->setCheckState(Qt::Unchecked);
        QVERIFY(settles(*m_window));
        QVERIFY(!shown().compared[1].visible);
        press("moveUp");
        QCOMPARE(m_window->settings().list().settings[1].name, std::string("C"));
        trigger(*m_window, Qt::SHIFT | Qt::Key_B);
        QCOMPARE(rows->count(), 2);
        press("removeSetting");
        QCOMPARE(rows->count(), 1);
        QVERIFY(!field<QToolButton>("removeSetting")->isEnabled());
        QVERIFY(settles(*m_window));
        QCOMPARE(shown().compared.size(), std::size_t(1));
    }

    void isMeasuredAgainstWhatIsChosen()
    {
        press("addSetting");
        chooseValue(field<QComboBox>("interpolation"), "nearest");
        auto* reference = field<QComboBox>("reference");
        const auto said = [&] { return field<QLabel>("metricsAgainst")->text(); };
        QVERIFY(settles(*m_window));
        QVERIFY2(said().contains(QStringLiteral("B · nearest against exact method")), qPrintable(said()));
        chooseValue(reference, "phantom");
        QVERIFY(settles(*m_window));
        QVERIFY2(said().contains(QStringLiteral("B · nearest against exact phantom")), qPrintable(said()));
        chooseValue(reference, "setting:1");
        QVERIFY(settles(*m_window));
        QVERIFY2(said().contains(QStringLiteral("B · nearest against A · linear")), qPrintable(said()));
        QCOMPARE(shown().planeB().title, shown().planeOf(shown().compared[0]).title);
        chooseValue(reference, "setting:2");
        QVERIFY(settles(*m_window));
        QVERIFY2(said().contains(QStringLiteral("is the reference")), qPrintable(said()));
        press("removeSetting"); // the setting that is the reference
        QVERIFY(settles(*m_window));
        QCOMPARE(toText(m_window->settings().list().reference), std::string("exact"));
        QVERIFY(shown().a().metrics);
    }

    // In a window without other settings, one entry of the menu of presets fills the list: half against float, every
    // filter, or several axes. Undo restores the previous list.
    void presetsFillTheList()
    {
        preset(0);
        QVERIFY(settles(*m_window));
        QCOMPARE(shown().a().name, QStringLiteral("half"));
        QVERIFY(shown().a().metrics && shown().a().metrics->rmse > 0);
        QVERIFY(field<QLabel>("metricsAgainst")->text().contains(QStringLiteral("half against float")));
        field<QComboBox>("filter")->setCurrentIndex(field<QComboBox>("filter")->currentIndex() == 0 ? 1 : 0);
        QVERIFY(settles(*m_window));
        QVERIFY2(shown().a().name != QStringLiteral("half"), "the name is no longer true of the values");
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(settles(*m_window));
        QCOMPARE(shown().a().name, QStringLiteral("half"));
        preset(3);
        QVERIFY(settles(*m_window));
        QVERIFY(shown().compared.size() >= 7);
        for (std::size_t k = 1; k < shown().compared.size(); ++k)
            QVERIFY(shown().compared[k].metrics->rmse > 0);
        preset(4);
        QVERIFY(settles(*m_window));
        QCOMPARE(shown().compared.size(), std::size_t(7));
        QCOMPARE(shown().compared[0].result->axisBins, shown().compared[3].result->axisBins - 2);
        QCOMPARE(shown().a().name, QStringLiteral("±0 bins"));
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(shown().compared.size() >= 7);
    }

    void anotherScanTakesWhatItCan()
    {
        press("addSetting");
        choose(field<QComboBox>("slices-per-pass"), 2);
        field<QDoubleSpinBox>("axisBins")->setValue(20.5);
        field<QListWidget>("settingList")->setCurrentRow(0);
        chooseValue(field<QComboBox>("reference"), "phantom");
        QVERIFY(settles(*m_window));
        QVERIFY(m_window->opensSimulation(simulationOf(engine::Phantom::disc, 64, 30)));
        QVERIFY(settles(*m_window));
        QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
        const NamedSetting& b = m_window->settings().list().settings[1];
        QCOMPARE(b.setting.kernel.slicesPerPass, 1);
        QCOMPARE(b.setting.axis.mode, engine::AxisSettings::Mode::automatic);
    }

    // All settings share device and memory.
    void resourcesAreShared()
    {
        press("addSetting");
        chooseValue(field<QComboBox>("device"), "cpu");
        field<QDoubleSpinBox>("memory-limit")->setValue(0.75);
        QVERIFY(settles(*m_window));
        for (const Compared& one : shown().compared) {
            QCOMPARE(one.result->request.resources.device.backend, "cpu");
        }
        for (const Compared& one : m_window->settings().comparison(0).compared) {
            QCOMPARE(one.request.resources.memoryLimitBytes, 0.75e9); // for volumes: no image is computed again
        }
        QVERIFY(!field<QListWidget>("settingList")->item(0)->text().contains(QStringLiteral("cpu")));
    }
};

SINOSCOPE_TEST(ComparedSettingsTest, QApplication)
#include "compared_settings_test.moc"
