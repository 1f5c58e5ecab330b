#include "ui/window/main_window_impl.h"

#include "engine/volume/fitting_alternatives.h"
#include "ui/background/application.h"
#include "ui/opening/found_dialog.h"
#include "ui/opening/sample_scans.h"
#include "ui/widgets/field_rules.h"
#include "ui/window/menu_keys.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
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
    m_impl->connectPanels();
    m_impl->connectReconstruction();
    m_impl->connectAxis();
    m_impl->connectActions();
    m_impl->connectTasks();
    m_impl->connectQueue();
    if (auto* application = qobject_cast<Application*>(qApp))
        connect(application, &Application::failed, m_impl->messages, &MessageBar::failOnce);
    new MenuKeys(*this, *m_impl->actions);
    m_impl->restore();
    m_impl->images->clear();
    m_impl->showWelcome();
    m_impl->offerQueue();
    m_impl->findDevices();
}

MainWindow::~MainWindow() = default;

void MainWindow::Impl::connectPanels()
{
    connect(scanBar, &ScanBar::quantityChosen, window, &MainWindow::openWithQuantity);
    connect(scanBar, &ScanBar::foundWanted, this, &Impl::showFound);
    connect(reading, &ReadingPanel::foundWanted, this, &Impl::showFound);
    connect(&growth, &GrowthWatch::grew, this, &Impl::takeGrown);
    connect(reading, &ReadingPanel::dataSetsWanted, this, &Impl::chooseDataSets);
    connect(reading, &ReadingPanel::wanted, window,
            [this](const QString& path, const engine::OpenOptions& options) { readAs(path, options); });
    connect(&settings->geometry(), &GeometryPanel::coneWanted, window, &MainWindow::takeAsCone);
    connect(&settings->geometry(), &GeometryPanel::parallelWanted, window, &MainWindow::takeAsParallel);
    connect(settings, &SettingsPanel::edited, window, [this](const SettingList& before, bool continues) {
        Workbench was = workbench();
        was.list = before;
        recordAct(std::move(was), continues);
    });
    connect(settings, &SettingsPanel::backRequested, window, [this] { step(history.back(workbench())); });
    connect(settings, &SettingsPanel::forwardRequested, window, [this] { step(history.forward(workbench())); });
    connect(images, &ImagePanel::marksEdited, window, [this](const engine::Marks& before, bool continues) {
        Workbench was = workbench();
        was.marks = before;
        recordAct(std::move(was), continues);
    });
    connect(speed, &SpeedPanel::cancelRequested, window, &MainWindow::cancel);
}

void MainWindow::Impl::connectReconstruction()
{
    connect(messages, &MessageBar::failed, window, &MainWindow::failed);
    keeping.setSingleShot(true);
    keeping.setInterval(keepAfterMs);
    connect(&keeping, &QTimer::timeout, window, [this] { autosave.keep(sessionNow()); });
    connect(&reconstruction, &ReconstructionController::changed, window, [this] { keepSoon(); });
    connect(&reconstruction, &ReconstructionController::started, window, [this] {
        if (foundDialog)
            foundDialog->hold();
    });
    connect(&reconstruction, &ReconstructionController::refused, window, [this](const QString& text) {
        emit window->failed(text);
        if (!window->busy())
            emit window->settled();
    });
    connect(&reconstruction, &ReconstructionController::fitWanted, window,
            [this](const engine::Fit& fit) { takeFit(fit); });
    connect(&reconstruction.warnings(), &ResultWarnings::leaveOutWanted, window,
            [this](const std::vector<engine::RowRange>& projections) {
                engine::Reduction reduction = openedWith.reduction;
                reduction.leftOut = projections;
                takeFit({.option = {}, .label = {}, .takes = {}, .reduction = reduction});
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
    connect(&reconstruction, &ReconstructionController::finished, window, [this] {
        if (foundDialog)
            foundDialog->release();
    });
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
    connect(welcome, &Welcome::sampleChosen, window, &MainWindow::openSample);
    connect(welcome, &Welcome::recentChosen, window, [this](const QString& path) { window->open(path); });
    connect(actions, &Actions::arcRequested, window, &MainWindow::openWithArc);
    connect(actions, &Actions::sampleRequested, window, &MainWindow::openSample);
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
    const auto quiet = [this] {
        messages->dismiss();
        speed->setBusy(false);
        showWelcome();
        if (!window->busy())
            emit window->settled();
    };
    connect(&opening, &BackgroundTask::cancelled, window, quiet);
    connect(&saving, &BackgroundTask::progressed, messages, &MessageBar::setProgress);
    connect(&saving, &BackgroundTask::cancelled, window,
            [this] { messages->showInformation(tr("Cancelled; nothing was left behind.")); });
    connect(&saving, &BackgroundTask::failed, messages, &MessageBar::fail);
}

void MainWindow::Impl::showWelcome()
{
    welcome->setRecent(state.recentScans());
    welcome->setVisible(!scan);
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

} // namespace ui
