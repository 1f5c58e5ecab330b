// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the window say often: wait until something holds, open a scan, find a control, choose, press a key.
// Everything without widgets is in tests/fixtures.h.
#pragma once

#include "tests/fixtures.h"
#include "ui/background/persistent_state.h"
#include "ui/settings/choice_combo.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>
#include <QMutex>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

namespace fixtures
{

// While one lives, a warning of Qt fails the test; it is reported when the last one goes. To be made when a test
// begins: before the first one, QTest puts its own handler in its place.
class NoWarnings
{
  public:
    NoWarnings()
    {
        if (s_alive++ > 0) // the handler is there already
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

    static QStringList heard() // up to now
    {
        const QMutexLocker lock(&s_mutex);
        return s_said;
    }

  private:
    static void listen(QtMsgType type, const QMessageLogContext& context, const QString& text)
    {
        if (type == QtWarningMsg || type == QtCriticalMsg) {
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

// All that was asked for is shown, or the message bar says why not.
inline bool settles(ui::MainWindow& window)
{
    if (comes([&window] { return !window.busy(); }))
        return true;
    qInfo("the window is still busy; it says '%s'", qPrintable(window.message()));
    return false;
}

// A of the scan that was opened is shown, not only a preview of it.
inline bool showsImage(ui::MainWindow& window)
{
    return settles(window) && window.shown().a().result && !window.shown().a().isPreview();
}

// A control, by the name that the code gives it. It must be there.
template <typename T>
T* child(const QWidget& parent, const char* name)
{
    T* found = parent.findChild<T*>(QString::fromLatin1(name));
    if (!found)
        qFatal("no %s in %s", name, parent.metaObject()->className());
    return found;
}

inline bool possible(const QComboBox* combo, int index)
{
    return static_cast<const ui::ChoiceCombo*>(combo)->isPossible(index);
}

// As a click on an entry: it must be possible.
inline void choose(QComboBox* combo, int index)
{
    if (!(combo->model()->flags(combo->model()->index(index, 0)) & Qt::ItemIsEnabled))
        qFatal("'%s' is disabled", qPrintable(combo->itemText(index)));
    combo->setCurrentIndex(index);
}

// By what the entry stands for, wherever it is in the list.
inline void chooseValue(QComboBox* combo, const QVariant& value)
{
    const int index = combo->findData(value);
    if (index < 0)
        qFatal("there is no '%s' in %s", qPrintable(value.toString()), qPrintable(combo->objectName()));
    choose(combo, index);
}

// The entry of the menu with this shortcut.
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

// The dialog that an action opens is looked at, and rejected.
template <typename Dialog = QFileDialog, typename Look>
void triggerAndLook(const QMainWindow& window, const QKeySequence& keys, const Look& look)
{
    QTimer again; // until it is there: the action returns when the dialog is gone
    QObject::connect(&again, &QTimer::timeout, &again, [&look] {
        if (auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget())) {
            look(*dialog);
            dialog->reject();
        }
    });
    again.start(50);
    trigger(window, keys);
}

// Moves the pointer over a widget; QTest would move that of the display, which the tests beside this one move too.
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

// A notch is 120.
inline void wheel(QWidget* widget, QPointF position, int angle)
{
    QWheelEvent event(position, widget->mapToGlobal(position), {}, QPoint(0, angle), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

inline QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Everything in a folder, what is hidden too.
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

// What a window stands in: made before it, and gone after it.
struct Surroundings {
    NoWarnings noWarnings;     // hears what the window says while it goes
    ui::PersistentState state; // remembers nothing
};

// The window as it first is on a machine, and nothing open.
class Window : private Surroundings, public ui::MainWindow
{
  public:
    explicit Window(QSize size = {1100, 720}, ui::ThemeFollower* theme = nullptr) : ui::MainWindow(state, theme)
    {
        resize(size);
        show();
        if (!isExposed(this))
            QTest::qFail("the window does not come", __FILE__, __LINE__);
    }

    // False where the scan isn't shown in the end; message() says why.
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
    // Three-dimensional and small, so that a test takes milliseconds.
    bool opensSmall()
    {
        return opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 16)) && shown().a().reference;
    }

    // From the next request on one thread, so that it is seen under way on any machine.
    void setSlow(const std::string& method = {})
    {
        engine::Request request = settings().request(0);
        request.resources.threads = 1;
        if (!method.empty())
            request.setting.kernel.method = method;
        settings().setRequest(request);
    }
    // The engine refuses it, until it is set right again.
    void setImpossible(bool impossible = true)
    {
        engine::Request request = settings().request(0);
        request.resources.threads = impossible ? -3 : 0;
        settings().setRequest(request);
    }
};

} // namespace fixtures
