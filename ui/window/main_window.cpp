// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/background/application.h"
#include "ui/background/persistent_state.h"
#include "ui/image/image_panel.h"
#include "ui/opening/is_session.h"
#include "ui/opening/sample_scans.h"
#include "ui/widgets/field_rules.h"
#include "ui/window/actions.h"
#include "ui/window/dropped.h"
#include "ui/window/main_window_impl.h"
#include "ui/window/menu_keys.h"
#include "ui/window/message_bar.h"
#include "ui/window/slice_bar.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>

// The resources of a static library are linked only if initialised explicitly. The macro must be used outside
// namespaces.
static void initialiseResources()
{
    Q_INIT_RESOURCE(sinoscope);
}

namespace ui
{

MainWindow::MainWindow(PersistentState& state, ThemeFollower* theme, QWidget* parent) : QMainWindow(parent)
{
    new FieldRules(this);
    setWindowTitle(tr("Sinoscope"));
    initialiseResources();
    setWindowIcon(QIcon(QStringLiteral(":/icons/sinoscope.svg")));
    setAcceptDrops(true);
    resize(1280, 800);
    state.load();
    m_impl = std::make_unique<Impl>(*this, state, theme);
    if (auto* application = qobject_cast<Application*>(qApp))
        connect(application, &Application::failed, &m_impl->layout.messages(), &MessageBar::failOnce);
    new MenuKeys(*this);
    m_impl->restore();
    m_impl->undo.clear(); // what was restored isn't an action of the user
    m_impl->undo.showSteps();
    m_impl->layout.results().images->clear();
    m_impl->opening.showWelcome();
    m_impl->queue.offer();
    m_impl->reconstruction.findDevices();
}

MainWindow::~MainWindow() = default;

void MainWindow::begin(const StartOptions& options)
{
    if (options.theme)
        m_impl->actions.setTheme(*options.theme);
    if (options.size) {
        setWindowState(Qt::WindowNoState);
        resize(*options.size);
    }
    OpeningController& opening = m_impl->opening;
    opening.start().set(options);
    if (isSession(options.scan))
        openSession(options.scan);
    else if (!options.scan.isEmpty())
        return opening.openFile(options.scan, options.open);
    else
        openSample(options.sample.isEmpty() ? samples().front().id : options.sample);
    if (options.slice)
        opening.start().setSlice(*options.slice);
}

void MainWindow::open(const QString& path, bool asSinogram)
{
    if (isSession(path))
        openSession(path);
    else
        m_impl->opening.open(path, asSinogram);
}
void MainWindow::openWithArc(double degrees)
{
    m_impl->opening.reopenWithArc(degrees);
}
void MainWindow::openWithQuantity(engine::Quantity quantity)
{
    m_impl->opening.reopenWithQuantity(quantity);
}
void MainWindow::takeAsCone(const engine::ConeOptions& options)
{
    m_impl->geometry.takeAsCone(options);
}
void MainWindow::takeAsParallel()
{
    m_impl->geometry.takeAsParallel();
}
void MainWindow::openSession(const QString& path)
{
    m_impl->session.open(path);
}
void MainWindow::openSample(const QString& id)
{
    for (const Sample& sample : samples())
        if (sample.id == id)
            return openSimulation(sample.simulation, sample.label);
}
void MainWindow::openSimulation(const engine::Simulation& simulation, const QString& label)
{
    m_impl->opening.openSimulation(simulation, label);
}
void MainWindow::runAgainWhenIdle()
{
    m_impl->reconstruction.speeds().runAgainWhenIdle();
}
void MainWindow::setSlice(int slice)
{
    m_impl->layout.results().sliceBar->setSlice(slice);
}
void MainWindow::computeAgain()
{
    m_impl->reconstruction.reconstruct(true);
}

void MainWindow::cancel()
{
    m_impl->cancelComputing();
    m_impl->saving.cancel();
}

// Closes the window, and stores the comparison for the next start.
void MainWindow::endFromOutside()
{
    m_impl->isEnding = true; // nobody may be there to answer a question
    keepForNextStart();
    close();
}

void MainWindow::keepForNextStart()
{
    m_impl->session.keepForNextStart();
    m_impl->save();
}

void MainWindow::saveImage(const QString& path)
{
    m_impl->saving.saveImage(path);
}
void MainWindow::saveDifference(const QString& path)
{
    m_impl->saving.saveDifference(path);
}
void MainWindow::saveProfile(const QString& path)
{
    m_impl->saving.saveProfile(path);
}
void MainWindow::saveVolume(const engine::VolumeOutput& output)
{
    m_impl->saving.saveVolume(output);
}
void MainWindow::saveReport(const QString& path)
{
    m_impl->saving.saveReport(path);
}
void MainWindow::saveSession(const QString& path)
{
    m_impl->session.save(path);
}
void MainWindow::saveRecipe(const QString& path)
{
    m_impl->queue.saveRecipe(path);
}
void MainWindow::openRecipe(const QString& path)
{
    m_impl->queue.openRecipe(path);
}
void MainWindow::showQueue()
{
    m_impl->queue.show();
}
void MainWindow::showFound()
{
    m_impl->found.show();
}
VolumeQueue& MainWindow::queue()
{
    return m_impl->queue.queue();
}

int MainWindow::slice() const
{
    return m_impl->layout.results().sliceBar->slice();
}
bool MainWindow::busy() const
{
    return m_impl->opening.busy() || m_impl->reconstruction.busy();
}
const Comparison& MainWindow::shown() const
{
    return m_impl->reconstruction.shown();
}
QString MainWindow::message() const
{
    return m_impl->layout.messages().text();
}
const std::shared_ptr<const engine::Scan>& MainWindow::scan() const
{
    return m_impl->scan.scan();
}
SettingsPanel& MainWindow::settings()
{
    return *m_impl->layout.inputs().settings;
}
ImagePanel& MainWindow::images()
{
    return *m_impl->layout.results().images;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_impl->isEnding && m_impl->saving.busy() && !m_impl->saving.mayStop(true)) {
        event->ignore();
        return;
    }
    m_impl->save();
    cancel();
    QMainWindow::closeEvent(event);
}

// Also accepts what can't be opened: the message bar then tells why.
void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    m_impl->open(droppedOf(*event->mimeData()));
}

} // namespace ui
