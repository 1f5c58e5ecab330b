#include "ui/window/main_window_impl.h"

#include "ui/background/application.h"
#include "ui/opening/is_session.h"
#include "ui/opening/sample_scans.h"
#include "ui/widgets/field_rules.h"
#include "ui/window/menu_keys.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QScreen>

// A static library's resources are linked in only when asked for; the macro wants the global namespace.
static void initialiseResources()
{
    Q_INIT_RESOURCE(sinoscope);
}

namespace ui
{

namespace
{

constexpr int keepAfterMs = 2000; // the last change

} // namespace

MainWindow::Impl::Impl(MainWindow* w, PersistentState& s, ThemeFollower* t) : window(w), state(s), theme(t) {}

MainWindow::MainWindow(PersistentState& state, ThemeFollower* theme, QWidget* parent) : QMainWindow(parent)
{
    new FieldRules(this);
    setWindowTitle(tr("Sinoscope"));
    initialiseResources();
    setWindowIcon(QIcon(QStringLiteral(":/icons/sinoscope.svg")));
    setAcceptDrops(true);
    resize(1280, 800);
    state.load();
    m_impl = std::make_unique<Impl>(this, state, theme);
    m_impl->layout.connectPanels();
    m_impl->layout.connectActions(*m_impl->actions);
    m_impl->connectReconstruction();
    m_impl->connectActions();
    m_impl->connectTasks();
    m_impl->connectQueue();
    if (auto* application = qobject_cast<Application*>(qApp))
        connect(application, &Application::failed, m_impl->messages, &MessageBar::failOnce);
    new MenuKeys(*this, *m_impl->actions);
    m_impl->restore();
    m_impl->images->clear();
    m_impl->opening.showWelcome();
    m_impl->offerQueue();
    m_impl->findDevices();
}

MainWindow::~MainWindow() = default;

void MainWindow::Impl::connectReconstruction()
{
    connect(messages, &MessageBar::failed, window, &MainWindow::failed);
    keeping.setSingleShot(true);
    keeping.setInterval(keepAfterMs);
    connect(&keeping, &QTimer::timeout, window, [this] { autosave.keep(sessionNow()); });
    connect(&reconstruction, &ReconstructionController::changed, window, [this] { keepSoon(); });
    connect(&reconstruction, &ReconstructionController::started, &found, &FoundController::hold);
    connect(&reconstruction, &ReconstructionController::refused, window, [this](const QString& text) {
        emit window->failed(text);
        settle();
    });
    connect(&reconstruction, &ReconstructionController::finished, window, [this] {
        offerWhatWasLeft();
        offerQueue();
        if (!window->busy()) {
            reconstruction.speeds().measure();
            emit window->settled();
        }
    });
    connect(&reconstruction, &ReconstructionController::finished, recorded, &RecordedPanel::release);
    connect(&reconstruction, &ReconstructionController::finished, &found, &FoundController::release);
    SpeedController* speeds = &reconstruction.speeds();
    connect(&stack, &StackController::started, speeds, &SpeedController::stop);
    connect(&stack, &StackController::ended, speeds, &SpeedController::measure);
    connect(&saving, &BackgroundTask::succeeded, speeds, &SpeedController::measure);
    connect(&saving, &BackgroundTask::failed, speeds, &SpeedController::measure);
    connect(&saving, &BackgroundTask::cancelled, speeds, &SpeedController::measure);
}

void MainWindow::Impl::connectActions()
{
    connect(actions, &Actions::openRequested, window, [this](const QString& path) { window->open(path); });
    connect(welcome, &Welcome::scanWanted, actions, &Actions::askForScan);
    connect(welcome, &Welcome::sessionWanted, actions, &Actions::askForSession);
    connect(welcome, &Welcome::recentChosen, window, [this](const QString& path) { window->open(path); });
    connect(actions, &Actions::arcRequested, &opening, &OpeningController::reopenWithArc);
    connect(actions, &Actions::sampleRequested, &opening, &OpeningController::openSample);
    connect(actions, &Actions::againRequested, window, &MainWindow::computeAgain);
    connect(actions, &Actions::cancelRequested, window, [this] {
        if (images->tool() != Tool::none)
            images->setTool(Tool::none);
        else
            window->cancel();
    });
    connect(actions, &Actions::resetRequested, window, [this] {
        settings->reset();
        reconstruction.reconstruct();
    });
    connect(actions, &Actions::stepBackRequested, settings, &SettingsPanel::backRequested);
    connect(actions, &Actions::stepForwardRequested, settings, &SettingsPanel::forwardRequested);
    connect(actions, &Actions::addRequested, window, [this] { settings->addSetting(); });
    connect(actions, &Actions::removeRequested, window, [this] { settings->removeChosen(); });
    connect(actions, &Actions::commandLineRequested, window, [this] { copyCommandLine(); });
    connect(actions, &Actions::recipeRequested, window, &MainWindow::openRecipe);
    connect(actions, &Actions::queueRequested, window, &MainWindow::showQueue);
    connect(actions, &Actions::saveRequested, window, [this](Save what) { askAndSave(what); });
}

void MainWindow::Impl::connectTasks()
{
    connect(speed, &SpeedPanel::cancelRequested, window, &MainWindow::cancel);
    connect(&scans, &ScanController::replacing, &stack, &StackController::cancel);
    connect(&opening, &OpeningController::opened, window,
            [this] { window->setWindowTitle(QString::fromStdString(scan->name) + QStringLiteral(" — Sinoscope")); });
    connect(&opening, &OpeningController::recentChanged, actions, &Actions::showRecent);
    connect(&opening, &OpeningController::failed, window, &MainWindow::failed);
    connect(&opening, &OpeningController::ended, window, [this] { settle(); });
    connect(&saving, &BackgroundTask::progressed, messages, &MessageBar::setProgress);
    connect(&saving, &BackgroundTask::cancelled, window,
            [this] { messages->showInformation(tr("Cancelled; nothing was left behind.")); });
    connect(&saving, &BackgroundTask::failed, messages, &MessageBar::fail);
}

void MainWindow::Impl::settle()
{
    if (!window->busy())
        emit window->settled();
}

void MainWindow::Impl::findDevices()
{
    auto found = std::make_shared<engine::CudaDevices>();
    devices.start([found](std::stop_token, const BackgroundTask::Progress&) { *found = engine::cudaDevices(); },
                  [this, found] { settings->setDevices(*found); });
}

// At the first start: most of a large screen, all of a small one.
void MainWindow::Impl::fitScreen()
{
    constexpr double share = 0.85;
    const QSize room = window->screen()->availableSize();
    const QSize wanted = (room * share).expandedTo(window->size());
    window->resize(wanted.boundedTo(room));
    if (wanted.width() >= room.width() || wanted.height() >= room.height()) // a frame would stand outside
        window->setWindowState(Qt::WindowMaximized);
}

void MainWindow::Impl::restore()
{
    QSettings* stored = state.settings();
    if (!stored)
        return;
    autosave = Autosave(QFileInfo(stored->fileName()).absolutePath());
    settings->restoreState(*stored);
    images->restoreState(*stored);
    recorded->restoreState(*stored);
    recorded->setColourMap(images->colourMap());
    if (!window->restoreGeometry(stored->value(QStringLiteral("geometry")).toByteArray()))
        fitScreen();
    layout.restoreState(*stored);
    const QString folder = stored->value(QStringLiteral("saveFolder")).toString();
    if (QFileInfo(folder).isDir())
        saveFolder = folder;
    volumeChoice = VolumeChoice::restored(*stored);
    actions->showSidePanels(stored->value(QStringLiteral("sidePanels"), true).toBool());
    if (theme)
        theme->setTheme(themeFromText(stored->value(QStringLiteral("theme")).toString()));
    actions->showTheme();
}

void MainWindow::Impl::save()
{
    QSettings* stored = state.settings();
    if (!stored)
        return;
    settings->saveState(*stored);
    images->saveState(*stored);
    recorded->saveState(*stored);
    stored->setValue(QStringLiteral("geometry"), window->saveGeometry());
    layout.saveState(*stored);
    stored->setValue(QStringLiteral("saveFolder"), saveFolder);
    volumeChoice.save(*stored);
    stored->setValue(QStringLiteral("sidePanels"), actions->sidePanels());
    if (theme)
        stored->setValue(QStringLiteral("theme"), toText(theme->theme()));
}

void MainWindow::begin(const StartOptions& options)
{
    if (options.theme && m_impl->theme) {
        m_impl->theme->setTheme(*options.theme);
        m_impl->actions->showTheme();
    }
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
void MainWindow::openSample(const QString& id)
{
    m_impl->opening.openSample(id);
}
void MainWindow::openSimulation(const engine::Simulation& simulation, const QString& label)
{
    m_impl->opening.openSimulation(simulation, label);
}
void MainWindow::takeAsCone(const engine::ConeOptions& options)
{
    m_impl->geometry.takeAsCone(options);
}
void MainWindow::takeAsParallel()
{
    m_impl->geometry.takeAsParallel();
}
void MainWindow::showFound()
{
    m_impl->found.show();
}
void MainWindow::setSlice(int slice)
{
    m_impl->sliceBar->setSlice(slice);
}
void MainWindow::runAgainWhenIdle()
{
    m_impl->reconstruction.speeds().runAgainWhenIdle();
}
void MainWindow::computeAgain()
{
    m_impl->reconstruction.reconstruct(true);
}

void MainWindow::cancel()
{
    m_impl->opening.cancel();
    m_impl->reconstruction.cancel();
    m_impl->stack.cancel();
    m_impl->saving.cancel();
    if (m_impl->messages->isError())
        m_impl->messages->dismiss();
}

int MainWindow::slice() const
{
    return m_impl->sliceBar->slice();
}
bool MainWindow::busy() const
{
    return m_impl->opening.busy() || m_impl->reconstruction.busy();
}
const Comparison& MainWindow::shown() const
{
    return m_impl->shown;
}
QString MainWindow::message() const
{
    return m_impl->messages->text();
}
const std::shared_ptr<const engine::Scan>& MainWindow::scan() const
{
    return m_impl->scan;
}
SettingsPanel& MainWindow::settings()
{
    return *m_impl->settings;
}
ImagePanel& MainWindow::images()
{
    return *m_impl->images;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_impl->save();
    cancel();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    open(event->mimeData()->urls().front().toLocalFile());
}

} // namespace ui
