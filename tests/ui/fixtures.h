// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of the window's tests: wait for a condition, open a scan, find a control, choose an entry, press a key.
// tests/fixtures.h has the helpers that need no widgets.
#pragma once

#include "tests/fixtures.h"
#include "ui/background/persistent_state.h"
#include "ui/image/image_panel.h"
#include "ui/settings/choice_combo.h"
#include "ui/settings/presets.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/main_window.h"

#include <QAbstractAnimation>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QMouseEvent>
#include <QMutex>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <string>
#include <utility>

namespace fixtures
{

// While an object of this type exists, a warning of Qt fails the test; the warning is reported when the last object
// is destroyed. Create it at the beginning of a test function: before the first one, QTest installs its own handler.
class NoWarnings
{
  public:
    NoWarnings()
    {
        if (s_alive++ > 0) // the handler is already installed
            return;
        s_said.clear();
        s_before = qInstallMessageHandler(listen);
    }
    ~NoWarnings()
    {
        if (--s_alive > 0)
            return;
        qInstallMessageHandler(s_before);
        if (!s_said.isEmpty())
            QTest::qFail(qPrintable(QStringLiteral("Qt warned: ") + s_said.join('\n')), __FILE__, __LINE__);
    }
    Q_DISABLE_COPY_MOVE(NoWarnings)

    static QStringList heard() // all warnings so far
    {
        const QMutexLocker lock(&s_mutex);
        return s_said;
    }

  private:
    static void listen(QtMsgType type, const QMessageLogContext& context, const QString& text)
    {
        const bool ofPlatform = text.startsWith(QLatin1String("This plugin does not support")) || // "offscreen"
                                text.endsWith(QLatin1String("Cannot set X11 selection owner"));   // another test copies
        if ((type == QtWarningMsg || type == QtCriticalMsg) && !ofPlatform) {
            const QMutexLocker lock(&s_mutex); // any thread may warn
            s_said << text;
        }
        s_before(type, context, text);
    }

    static inline int s_alive = 0;
    static inline QMutex s_mutex;
    static inline QStringList s_said;
    static inline QtMessageHandler s_before = nullptr;
};

inline bool isExposed(QWidget* window)
{
    return QTest::qWaitForWindowExposed(window, patienceMs);
}

// Waits until the layout of a window is done: its events and those of the display have been handled, and nothing in it
// has moved since the last look.
inline bool isLaidOut(QWidget& window)
{
    QList<QRect> before;
    return comes([&] {
        QGuiApplication::sync();
        QList<QRect> now{window.geometry()};
        for (const QWidget* each : window.findChildren<QWidget*>())
            now << (each->isVisible() ? each->geometry() : QRect());
        return std::exchange(before, now) == now;
    });
}

// Returns whether a timer of the object or its children will still do something once.
inline bool hasPendingTimer(const QObject& object)
{
    return std::ranges::any_of(object.findChildren<QTimer*>(),
                               [](const QTimer* timer) { return timer->isSingleShot() && timer->isActive(); });
}

inline bool isAnimated(const QObject& object)
{
    return std::ranges::any_of(object.findChildren<QAbstractAnimation*>(), [](const QAbstractAnimation* animation) {
        return animation->state() == QAbstractAnimation::Running;
    });
}

// Waits until all requests are shown, or the message bar tells why they are not.
inline bool settles(ui::MainWindow& window)
{
    if (comes([&window] { return !window.busy(); }))
        return true;
    qInfo("the window is still busy; it says '%s'", qPrintable(window.message()));
    return false;
}

// Waits until the full image A of the scan is shown, not only its preview.
inline bool showsImage(ui::MainWindow& window)
{
    return settles(window) && window.shown().a().result && !window.shown().a().isPreview();
}

// Returns the control with this object name; it is an error if there is none.
template <typename T>
T* child(const QWidget& parent, const char* name)
{
    T* found = parent.findChild<T*>(QString::fromLatin1(name));
    if (!found)
        qFatal("no %s in %s", name, parent.metaObject()->className());
    return found;
}

// Returns the preset's entry in the menu, as it is when the menu opens; nullptr if it has none.
inline QAction* presetAction(ui::MainWindow& window, const char* id)
{
    QMenu* menu = child<QToolButton>(window, "presets")->menu();
    emit menu->aboutToShow();
    const auto preset =
        std::ranges::find_if(ui::presets(), [&](const ui::Preset& one) { return one.id == std::string(id); });
    for (QAction* action : menu->actions())
        if (action->text() == preset->text())
            return action;
    return nullptr;
}

inline bool possible(const QComboBox* combo, int index)
{
    return static_cast<const ui::ChoiceCombo*>(combo)->isPossible(index);
}

// Chooses an entry as by a click; it is an error if the entry is disabled.
inline void choose(QComboBox* combo, int index)
{
    if (!(combo->model()->flags(combo->model()->index(index, 0)) & Qt::ItemIsEnabled))
        qFatal("'%s' is disabled", qPrintable(combo->itemText(index)));
    combo->setCurrentIndex(index);
}

// Chooses the entry with this data.
inline void chooseValue(QComboBox* combo, const QVariant& value)
{
    const int index = combo->findData(value);
    if (index < 0)
        qFatal("there is no '%s' in %s", qPrintable(value.toString()), qPrintable(combo->objectName()));
    choose(combo, index);
}

// Returns the menu entry with this shortcut.
inline QAction* actionWith(const QMainWindow& window, const QKeySequence& keys)
{
    for (QAction* menu : window.menuWidget()->actions())
        for (QAction* action : menu->menu()->actions())
            if (action->shortcuts().contains(keys))
                return action;
    qFatal("no action has the shortcut %s", qPrintable(keys.toString()));
    return nullptr;
}

inline void trigger(const QMainWindow& window, const QKeySequence& keys)
{
    actionWith(window, keys)->trigger();
}

// Triggers an action, calls `look` with the dialog that it opens, and rejects the dialog.
template <typename Dialog = QFileDialog, typename Look>
void triggerAndLook(const QMainWindow& window, const QKeySequence& keys, const Look& look)
{
    QTimer again; // repeats until the dialog exists, since trigger() returns only when it has closed
    QObject::connect(&again, &QTimer::timeout, &again, [&look] {
        if (auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget())) {
            look(*dialog);
            dialog->reject();
        }
    });
    again.start(50);
    trigger(window, keys);
}

// Sends a mouse move to a widget; QTest would move the display's pointer, which other tests running at the same time
// move, too.
inline void point(QWidget* widget, QPointF position, Qt::MouseButton held = Qt::NoButton,
                  Qt::KeyboardModifiers modifiers = {})
{
    QMouseEvent event(QEvent::MouseMove, position, widget->mapToGlobal(position), Qt::NoButton, held, modifiers);
    QApplication::sendEvent(widget, &event);
}

inline void pointElsewhere(QWidget* widget)
{
    QEvent event(QEvent::Leave);
    QApplication::sendEvent(widget, &event);
}

inline void drag(QWidget* widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {})
{
    QTest::mousePress(widget, Qt::LeftButton, modifiers, from);
    point(widget, (from + to) / 2, Qt::LeftButton, modifiers);
    point(widget, to, Qt::LeftButton, modifiers);
    QTest::mouseRelease(widget, Qt::LeftButton, modifiers, to);
}

// Turns the mouse wheel; a notch is 120.
inline void wheel(QWidget* widget, QPointF position, int angle)
{
    QWheelEvent event(position, widget->mapToGlobal(position), {}, QPoint(0, angle), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

// Drags these URLs to a widget and drops them there. Returns whether they were accepted.
inline bool drop(QWidget& widget, const QList<QUrl>& urls)
{
    QMimeData data;
    data.setUrls(urls);
    QDragEnterEvent enter(widget.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &enter);
    QDropEvent event(widget.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    if (enter.isAccepted())
        QApplication::sendEvent(&widget, &event);
    return enter.isAccepted();
}

inline QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Returns all entries of a folder, including hidden ones.
inline QStringList entriesOf(const TemporaryFolder& folder)
{
    return QDir(folder.file({})).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden | QDir::System);
}

inline engine::Simulation simulationOf(engine::Phantom phantom, int size, int projections, int slices = 1)
{
    engine::Simulation simulation;
    simulation.phantom = phantom;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = slices;
    return simulation;
}

// A full turn of a cone beam whose axis is magnified on the detector as given, with voxels of 1 mm.
inline engine::Simulation coneOf(int size, int projections, int slices, double magnification = 2)
{
    engine::Simulation simulation = simulationOf(engine::Phantom::sheppLogan3d, size, projections, slices);
    simulation.arcDeg = 360;
    simulation.cone.emplace();
    simulation.cone->sourceAxisMm = 100;
    simulation.cone->sourceDetectorMm = 100 * magnification;
    simulation.cone->pixelUMm = magnification;
    return simulation;
}

// Members that have to exist before the window and be destroyed after it.
struct Surroundings {
    NoWarnings noWarnings;     // catches warnings during destruction
    ui::PersistentState state; // stores nothing
};

// The window as on its first start, without a scan.
class Window : private Surroundings, public ui::MainWindow
{
  public:
    // Shows image, reference and difference beside each other.
    explicit Window(QSize size = {1100, 720}, ui::ThemeFollower* theme = nullptr) : ui::MainWindow(state, theme)
    {
        images().setView(*ui::findView(QStringLiteral("all")));
        resize(size);
        show();
        if (!isExposed(this))
            QTest::qFail("the window does not come", __FILE__, __LINE__);
    }

    // Returns false if the scan is not shown in the end; message() tells why.
    bool opensSimulation(const engine::Simulation& simulation)
    {
        openSimulation(simulation, QStringLiteral("simulated"));
        return showsImage(*this);
    }
    bool opensSample(const char* id)
    {
        openSample(QString::fromLatin1(id));
        return showsImage(*this);
    }
    // Opens a small three-dimensional simulation, which a test reconstructs in milliseconds.
    bool opensSmall()
    {
        return opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 16)) && shown().a().reference;
    }

    // Uses one thread from the next request on, so that on any machine a test can see the work in progress.
    void setSlow(const std::string& method = {})
    {
        engine::Request request = settings().request(0);
        request.resources.threads = 1;
        if (!method.empty())
            request.setting.kernel.method = method;
        settings().setRequest(request);
    }
    // Makes requests invalid, so that the engine refuses them, until reset.
    void setImpossible(bool impossible = true)
    {
        engine::Request request = settings().request(0);
        request.resources.threads = impossible ? -3 : 0;
        settings().setRequest(request);
    }
};

} // namespace fixtures
