// SPDX-License-Identifier: GPL-3.0-or-later
// The settings in the real window, chosen like a user does: requests are computed, shown and stored.
#include "engine/backends/devices.h"
#include "engine/base/machine.h"
#include "engine/io/slices/write_scan.h"
#include "engine/options/options.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_header.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>

#include <cmath>

using namespace ui;
using namespace fixtures;

class SettingsTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_window = std::make_unique<Window>(); }
    void cleanup() { m_window.reset(); }

    void opensASampleAndComparesIt()
    {
        QSignalSpy settled(m_window.get(), &MainWindow::settled);
        m_window->openSample(QStringLiteral("shepp-logan"));
        QVERIFY(m_window->busy());
        QVERIFY(settles(*m_window));
        QVERIFY(settled.count() >= 1);
        const Comparison& shown = m_window->shown();
        QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
        QCOMPARE(shown.a().result->image.width, 512);
        QVERIFY(shown.a().reference && shown.a().metrics);
        QVERIFY(shown.a().metrics->psnrDb > 20);
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("Shepp-Logan")));
        QVERIFY(
            child<QLabel>(*m_window, "scanFacts")->accessibleDescription().contains(QStringLiteral("804 projections")));
        QCOMPARE(m_window->images().rendered(ImagePanel::Content::a).size(), QSize(512, 512));
    }

    // Phase retrieval without energy, distance and pixel size: the fields are blank, and a button leads to the pixel
    // size of the scan.
    void phaseRetrievalAsks()
    {
        const TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("scan.h5"));
        engine::writeScan(*smallScan(48, 30), nullptr, engine::ScanFormat::dxchange, path.toStdString(), false);
        m_window->open(path);
        QVERIFY(showsImage(*m_window));
        chooseValue(child<QComboBox>(*m_window, "phase"), QStringLiteral("paganin"));
        QVERIFY(settles(*m_window));
        for (const char* id : {"phase-energy", "phase-distance", "phase-pixel"}) {
            auto* box = child<QDoubleSpinBox>(*m_window, id);
            QVERIFY2(!box->isHidden() && box->text().trimmed().isEmpty(), qPrintable(box->text()));
        }
        QVERIFY2(m_window->message().contains(QStringLiteral("energy of the beam")), qPrintable(m_window->message()));
        auto* button = child<QWidget>(*m_window, "messageBar")->findChild<QPushButton*>();
        QCOMPARE(button->text(), QStringLiteral("Pixel size…"));
        button->click();
        auto* pixel = child<QDoubleSpinBox>(*m_window, "pixelSize");
        QCOMPARE(m_window->focusWidget(), pixel);
        pixel->setValue(2);
        QVERIFY(settles(*m_window));
        QVERIFY(button->isHidden() || button->text() != QStringLiteral("Pixel size…"));
        QVERIFY(child<QDoubleSpinBox>(*m_window, "phase-pixel")->isHidden());
        child<QDoubleSpinBox>(*m_window, "phase-energy")->setValue(25);
        child<QDoubleSpinBox>(*m_window, "phase-distance")->setValue(5);
        QVERIFY(showsImage(*m_window));
        QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
    }

    void everyChoiceIsCarriedOut()
    {
        QVERIFY(m_window->opensSmall());
        auto* kernel = child<QComboBox>(*m_window, "method");
        auto* interpolation = child<QComboBox>(*m_window, "interpolation");
        auto* precision = child<QComboBox>(*m_window, "precision");
        auto* slices = child<QComboBox>(*m_window, "slices-per-pass");
        QVERIFY(kernel->count() >= 3); // automatic, exact, cpu
        int tried = 0;
        for (int k = 0; k < kernel->count(); ++k) {
            if (!possible(kernel, k))
                continue;
            choose(kernel, k);
            for (QComboBox* combo : {interpolation, precision, slices}) {
                for (int i = 0; i < combo->count(); ++i) {
                    if (!possible(combo, i))
                        continue;
                    const int before = combo->currentIndex();
                    choose(combo, i);
                    QVERIFY(settles(*m_window));
                    QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
                    const engine::Reconstruction& a = *m_window->shown().a().result;
                    const std::string id = kernel->currentData().toString().toStdString();
                    QVERIFY(id == "auto" ? a.method != "exact" : a.method == id);
                    for (const QComboBox* one : {interpolation, precision})
                        QCOMPARE(engine::option(one->objectName().toStdString()).get(a.request),
                                 one->currentData().toString().toStdString());
                    QCOMPARE(a.request.setting.kernel.slicesPerPass, slices->currentData().toInt());
                    QCOMPARE(a.request.place.slices().count, slices->currentData().toInt());
                    QVERIFY(m_window->slice() >= a.request.place.slices().first);
                    QVERIFY(m_window->slice() < a.request.place.slices().first + a.request.place.slices().count);
                    ++tried;
                    choose(combo, before);
                }
            }
        }
        QVERIFY(tried > 15);
    }

    void filterAxisAndOversampling()
    {
        QVERIFY(m_window->opensSmall());
        chooseValue(child<QComboBox>(*m_window, "filter"), "hann");
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->shown().a().result->request.setting.filter.window, engine::Window::hann);
        auto* order = child<QSpinBox>(*m_window, "order");
        QVERIFY(!order->isVisible());
        chooseValue(child<QComboBox>(*m_window, "filter"), "butterworth");
        QVERIFY(order->isVisible());
        order->setValue(5);
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->shown().a().result->request.setting.filter.window, engine::Window::butterworth);
        QCOMPARE(m_window->shown().a().result->request.setting.filter.order, 5);
        auto* factor = child<QSpinBox>(*m_window, "oversampling");
        QVERIFY(!factor->isEnabled());
        chooseValue(child<QComboBox>(*m_window, "interpolation"), "oversampled:4");
        QVERIFY(factor->isEnabled());
        factor->setValue(7);
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->shown().a().result->request.setting.kernel.oversampling, 7);
        QVERIFY(m_window->shown().planeA().title.contains(QStringLiteral("×7")));

        auto* mode = child<QComboBox>(*m_window, "axisMode");
        auto* bins = child<QDoubleSpinBox>(*m_window, "axisBins");
        QCOMPARE(bins->value(),
                 std::round(m_window->shown().a().result->axisBins * 100) / 100); // the axis used
        bins->setFocus();
        const double before = bins->value();
        QVERIFY(takesFocus(bins)); // the wheel changes only a number with focus
        wheel(bins, {5, 5}, 120);
        QCOMPARE(bins->value(), before + 0.25);
        wheel(bins, {5, 5}, -120);
        QCOMPARE(bins->value(), before);
        auto* memory = child<QDoubleSpinBox>(*m_window, "memory-limit"); // it has no focus
        const double limit = memory->value();
        wheel(memory, {5, 5}, -120);
        QCOMPARE(memory->value(), limit);
        QVERIFY(bins->hasFocus());
        QTest::keyClick(bins, Qt::Key_Up);
        QCOMPARE(bins->value(), before + 0.25);
        QTest::keyClick(bins, Qt::Key_Up, Qt::ControlModifier);
        QVERIFY(std::abs(bins->value() - before - 0.26) < 1e-9);
        QVERIFY(settles(*m_window));
        QCOMPARE(mode->currentData().toString(), QStringLiteral("given"));
        QCOMPARE(m_window->shown().a().result->axisBins, bins->value());
        QCOMPARE(m_window->shown().a().reference->axisBins, bins->value());
        QTest::mouseClick(child<QPushButton>(*m_window, "reset"), Qt::LeftButton);
        QVERIFY(settles(*m_window));
        QCOMPARE(mode->currentData().toString(), QStringLiteral("auto"));
        QCOMPARE(m_window->shown().a().result->request.setting.filter.window, engine::Window::ramLak);
        QCOMPARE(m_window->shown().a().result->request.setting.kernel.interpolation, engine::Interpolation::linear);
    }

    // The wheel over a control without focus scrolls the panel, wherever the control is.
    void wheelChangesNothingWithoutFocus()
    {
        QVERIFY(m_window->opensSmall());
        m_window->setFocus();
        const auto state = [](const QWidget* control) -> QVariant {
            for (const char* property : {"value", "currentIndex"})
                if (control->metaObject()->indexOfProperty(property) >= 0)
                    return control->property(property);
            return {};
        };
        QList<QWidget*> controls;
        for (QWidget* widget : m_window->findChildren<QWidget*>())
            if (widget->isVisible() && (widget->inherits("QAbstractSpinBox") || widget->inherits("QComboBox") ||
                                        widget->inherits("QSlider") || widget->inherits("QTabBar")))
                controls << widget;
        QVERIFY(controls.size() > 15);
        for (QWidget* control : controls) {
            QVERIFY2(control->focusPolicy() != Qt::WheelFocus, qPrintable(control->objectName()));
            if (control->hasFocus())
                continue;
            const QVariant before = state(control);
            for (const int angle : {120, -120})
                wheel(control, {3, 3}, angle);
            wheel(control, {3, 3}, -120);
            QVERIFY2(state(control) == before, qPrintable(control->objectName()));
        }
    }

    // A comma is a decimal point: ignoring it would turn "0,5" into 5, and "20,5" into 205.
    void commasArePoints()
    {
        QVERIFY(m_window->opensSmall());
        const auto type = [this](const char* box, const QString& text) {
            auto* field = child<QDoubleSpinBox>(*m_window, box);
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
            return field->value();
        };
        QCOMPARE(type("cutoff", QStringLiteral("0,5")), 0.5);
        QCOMPARE(type("axisBins", QStringLiteral("20,5")), 20.5);
        QVERIFY(settles(*m_window));
    }

    // The settings' undo works while a box has the focus; text typed there and not yet applied is undone first.
    void undoFromABox()
    {
        QVERIFY(m_window->opensSmall());
        auto* filter = child<QComboBox>(*m_window, "filter");
        auto* cutoff = child<QDoubleSpinBox>(*m_window, "cutoff");
        chooseValue(filter, "hann");
        QVERIFY(settles(*m_window));
        cutoff->setFocus();
        QVERIFY(takesFocus(cutoff));
        QTest::keyClick(cutoff, Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(filter->currentData().toString() == "ram-lak");
        QVERIFY(settles(*m_window));

        chooseValue(filter, "hann");
        QVERIFY(settles(*m_window));
        cutoff->setFocus();
        QTest::keyClick(cutoff, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(cutoff, "0.5");
        QTest::keyClick(cutoff, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(cutoff->text() != "0.5");
        QCOMPARE(filter->currentData().toString(), QStringLiteral("hann"));
    }

    // The first start fills a small screen and most of a large one; later starts restore the last size.
    void fitsTheScreenAtFirst()
    {
        const TemporaryFolder folder;
        const auto sizeAtStart = [&folder](QSize leftAs) {
            PersistentState state(folder.file("sinoscope.ini"));
            MainWindow window(state);
            window.show();
            if (!isExposed(&window))
                return QSize();
            const QSize size = window.size();
            if (leftAs.isValid())
                window.resize(leftAs);
            window.close();
            return size;
        };
        const QSize room = QGuiApplication::primaryScreen()->availableSize();
        const QSize first = sizeAtStart({1000, 700});
        QVERIFY(first.width() <= room.width() && first.height() <= room.height());
        QVERIFY(first.width() >= 0.8 * room.width() && first.height() >= 0.8 * room.height());
        QCOMPARE(sizeAtStart({}), QSize(1000, 700));
    }

    void impossibleChoicesSayWhy()
    {
        m_window->openSample(QStringLiteral("disc")); // one slice
        QVERIFY(settles(*m_window));
        auto* slices = child<ChoiceCombo>(*m_window, "slices-per-pass");
        QVERIFY(slices->count() > 1);
        for (int i = 1; i < slices->count(); ++i) {
            QVERIFY(!slices->isPossible(i));
            QVERIFY(slices->itemData(i, Qt::ToolTipRole).toString().contains(QStringLiteral("one slice")));
        }
        auto* device = child<ChoiceCombo>(*m_window, "device");
        for (int i = 0; i < device->count(); ++i)
            QVERIFY(device->isPossible(i) || !device->reason(i).isEmpty());
    }

    void severalGpusAreToldApart()
    {
        QVERIFY(m_window->opensSmall());
        engine::Device first, second;
        first.name = second.name = "NVIDIA H200";
        second.index = 1;
        auto* device = child<QComboBox>(*m_window, "device");
        m_window->settings().setDevices(engine::cudaBackend, {{first}, {}});
        QVERIFY(device->findText(QStringLiteral("NVIDIA H200")) >= 0);
        m_window->settings().setDevices(engine::cudaBackend, {{first, second}, {}});
        QCOMPARE(device->itemData(device->findText(QStringLiteral("NVIDIA H200 · GPU 0"))).toString(),
                 QStringLiteral("cuda"));
        QCOMPARE(device->itemData(device->findText(QStringLiteral("NVIDIA H200 · GPU 1"))).toString(),
                 QStringLiteral("cuda:1"));
        const auto devices = [this] { return engine::devicesToText(m_window->settings().request(0).resources); };
        QCOMPARE(devices(), std::string("auto"));
        device->setCurrentIndex(device->findText(QStringLiteral("All 2 NVIDIA GPUs")));
        QCOMPARE(devices(), std::string("cuda:all"));
        engine::Request request = m_window->settings().request(0);
        engine::setDevices(request.resources, "cuda:1,cpu"); // as a session may contain it
        m_window->settings().setRequest(request);
        QCOMPARE(devices(), std::string("cuda:1,cpu"));
        QCOMPARE(device->currentText(), QStringLiteral("cuda:1,cpu"));
        device->setCurrentIndex(device->findText(QStringLiteral("Processor")));
        QCOMPARE(devices(), std::string("cpu"));
        QVERIFY(settles(*m_window));
    }

    void movesTheSlice()
    {
        QVERIFY(m_window->opensSmall());
        const int rows = m_window->scan()->rows;
        QCOMPARE(m_window->slice(), rows / 2);
        trigger(*m_window, Qt::Key_PageDown);
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->shown().slice, rows / 2 + 1);
        child<QSlider>(*m_window, "sliceSlider")->setValue(0);
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->shown().slice, 0);
        QCOMPARE(m_window->shown().a().reference->request.place.slices().first, 0);
        trigger(*m_window, Qt::Key_PageUp); // not beyond the first
        child<QSpinBox>(*m_window, "sliceNumber")->setValue(rows - 1);
        choose(child<QComboBox>(*m_window, "slices-per-pass"), 2);
        QVERIFY(settles(*m_window));
        const engine::Request& request = m_window->shown().a().result->request;
        QCOMPARE(request.place.slices().count,
                 request.setting.kernel.slicesPerPass); // a complete group at the end, too
        QCOMPARE(request.place.slices().first + request.place.slices().count, rows);
    }

    void failedRequestKeepsTheImage()
    {
        QVERIFY(m_window->opensSmall());
        const auto before = m_window->shown().a().result;
        m_window->setImpossible();
        m_window->computeAgain();
        QVERIFY(settles(*m_window));
        QVERIFY(!m_window->message().isEmpty());
        QCOMPARE(m_window->shown().a().result, before);
        const auto* header = child<ImageHeader>(*m_window, "imageAHeader");
        QCOMPARE(header->note(), QStringLiteral("outdated")); // it belongs to other settings
        QVERIFY(child<ImageView>(*m_window, "imageA")->message().contains(QStringLiteral("Not computed")));
        m_window->setImpossible(false);
        m_window->computeAgain();
        QVERIFY(settles(*m_window));
        QVERIFY(m_window->message().isEmpty());
        QVERIFY(header->note().isEmpty());
    }

    void remembersTheSession()
    {
        TemporaryFolder folder;
        const QString file = folder.file(QStringLiteral("session.ini"));
        {
            PersistentState state(file);
            MainWindow window(state);
            window.show();
            engine::Request request;
            request.setting.kernel.interpolation = engine::Interpolation::cubic;
            request.setting.kernel.precision = engine::Precision::half;
            request.setting.filter.window = engine::Window::hamming;
            request.setting.filter.cutoff = 0.75;
            window.settings().setRequest(request);
            SettingList list = window.settings().list();
            request.setting.kernel.interpolation = engine::Interpolation::oversampled;
            request.setting.kernel.oversampling = 8;
            list.add(request.setting, "finer").visible = false;
            list.reference = {ReferenceChoice::Kind::setting, list.settings[1].id};
            window.settings().setList(list);
            auto* memory = child<QDoubleSpinBox>(window, "memory-limit");
            const double half = engine::machineMemoryBytes() / 2; // the default, left to the engine
            QVERIFY(std::abs(memory->value() * 1e9 - half) < 0.01 * half);
            QCOMPARE(window.settings().request(0).resources.memoryLimitBytes, 0.0);
            memory->setValue(0.75);
            state.addRecent(QStringLiteral("/data/tooth.h5"));
            window.images().setView(*findView("ab"));
            window.close();
        }
        PersistentState state(file);
        MainWindow window(state);
        const engine::Request restored = window.settings().request(0);
        QCOMPARE(restored.setting.kernel.interpolation, engine::Interpolation::cubic);
        QCOMPARE(restored.setting.kernel.precision, engine::Precision::half);
        QCOMPARE(restored.setting.filter.window, engine::Window::hamming);
        QCOMPARE(restored.setting.filter.cutoff, 0.75);
        const SettingList list = window.settings().list();
        QCOMPARE(list.settings.size(), std::size_t(2));
        QCOMPARE(list.settings[1].name, std::string("finer"));
        QVERIFY(!list.settings[1].visible);
        QCOMPARE(list.settings[1].setting.kernel.oversampling, 8);
        QCOMPARE(toText(list.reference), "setting:" + std::to_string(list.settings[1].id));
        QCOMPARE(restored.resources.memoryLimitBytes, 0.75e9);
        QCOMPARE(window.images().view().id, std::string_view("ab"));
        QCOMPARE(state.recentScans(), QStringList{QStringLiteral("/data/tooth.h5")});
    }

    // --theme is for one start; the theme chosen in the menu is remembered.
    void themeOfACommandLineIsNotRemembered()
    {
        const TemporaryFolder folder;
        const QString file = folder.file("theme.ini");
        const auto themeAfter = [&](std::optional<Theme> given, const QString& chosen) {
            PersistentState state(file);
            ThemeFollower theme;
            MainWindow window(state, &theme);
            StartOptions options;
            options.theme = given;
            window.begin(options);
            if (!chosen.isEmpty())
                for (QAction* action : window.findChildren<QAction*>())
                    if (action->text() == chosen)
                        action->trigger();
            window.close();
            return theme.theme();
        };
        QCOMPARE(themeAfter({}, QStringLiteral("Light")), Theme::light);
        QCOMPARE(themeAfter(Theme::dark, {}), Theme::dark);
        QCOMPARE(themeAfter({}, {}), Theme::light);
    }

  private:
    // Asks for the focus until it comes: windows of other tests on the same display may take it.
    bool takesFocus(const QWidget* widget) const
    {
        return comes([&] {
            m_window->activateWindow();
            return widget->hasFocus();
        });
    }

    std::unique_ptr<Window> m_window;
};

SINOSCOPE_TEST(SettingsTest, QApplication)
#include "settings_test.moc"
