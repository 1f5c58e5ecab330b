#include "ui/window/main_window_impl.h"

#include "engine/compare/used_axis.h"
#include "engine/stages/stages.h"
#include "ui/background/application.h"
#include "ui/opening/found_dialog.h"
#include "ui/opening/sample_scans.h"
#include "ui/widgets/field_rules.h"
#include "ui/widgets/without_flags.h"
#include "ui/window/menu_keys.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QScreen>

#include <algorithm>
#include <numbers>

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
    m_impl->connectJob();
    m_impl->connectAxis();
    m_impl->connectActions();
    m_impl->connectTasks();
    m_impl->connectQueue();
    if (auto* application = qobject_cast<Application*>(qApp))
        connect(application, &Application::failed, this, [this](const QString& message) { m_impl->tell(message); });
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
    connect(settings, &SettingsPanel::changed, window, [this] { reconstruct(); });
    connect(scanBar, &ScanBar::quantityChosen, window, &MainWindow::openWithQuantity);
    connect(scanBar, &ScanBar::foundWanted, this, &Impl::showFound);
    connect(reading, &ReadingPanel::foundWanted, this, &Impl::showFound);
    connect(&growth, &GrowthWatch::grew, this, &Impl::takeGrown);
    connect(reading, &ReadingPanel::dataSetsWanted, this, &Impl::chooseDataSets);
    connect(reading, &ReadingPanel::wanted, window,
            [this](const QString& path, const engine::OpenOptions& options) { readAs(path, options); });
    connect(&settings->geometry(), &GeometryPanel::coneWanted, window, &MainWindow::takeAsCone);
    connect(&settings->geometry(), &GeometryPanel::parallelWanted, window, &MainWindow::takeAsParallel);
    connect(sliceBar, &SliceBar::sliceChanged, window, [this](int slice) {
        scanBar->setSlice(slice);
        reconstruct();
    });
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
    connect(images, &ImagePanel::marksChanged, window, [this] { marksChanged(); });
    connect(speed, &SpeedPanel::cancelRequested, window, &MainWindow::cancel);
    connect(volume, &VolumePanel::reconstructStackRequested, window, [this](int step) { makeStack(step); });
}

void MainWindow::Impl::connectJob()
{
    connect(&job, &ReconstructionJob::updated, window, [this](const Comparison& comparison) { show(comparison); });
    connect(&job, &ReconstructionJob::progressed, window,
            [this](const QString& stage, double fraction) { speed->setBusy(true, stage, fraction); });
    connect(&job, &ReconstructionJob::referenceExpected, images, &ImagePanel::showExpected);
    connect(&job, &ReconstructionJob::cancelled, images,
            [this] { images->showStopped(tr("Cancelled. F5 computes it after all."), isOutdated()); });
    connect(&job, &ReconstructionJob::failed, window, [this](const QString& message) {
        images->showStopped(tr("Not computed: see the message. F5 tries again."), isOutdated());
        fail(message);
        requestFailed = true;
    });
    keeping.setSingleShot(true);
    keeping.setInterval(keepAfterMs);
    connect(&keeping, &QTimer::timeout, window, [this] { autosave.keep(sessionNow()); });
    connect(&job, &ReconstructionJob::finished, window, [this] {
        speed->setBusy(false);
        offerWhatWasLeft();
        offerQueue();
        if (!window->busy()) {
            meterSpeeds();
            emit window->settled();
        }
    });
    connect(&job, &ReconstructionJob::finished, recorded, &RecordedPanel::release);
    connect(&job, &ReconstructionJob::finished, window, [this] {
        if (foundDialog)
            foundDialog->release();
    });
    for (BackgroundTask* task : {&saving, &stack}) {
        connect(task, &BackgroundTask::succeeded, window, [this] { meterSpeeds(); });
        connect(task, &BackgroundTask::failed, window, [this] { meterSpeeds(); });
        connect(task, &BackgroundTask::cancelled, window, [this] { meterSpeeds(); });
    }
    connect(&meter, &SpeedMeter::finished, window, [this] { numbers->setIdle(true); });
    connect(&meter, &SpeedMeter::measured, window,
            [this](const engine::Request& request, const std::vector<TimedRun>& runs) {
                numbers->addRuns(request, runs);
                if (shown.hasResult() && shown.a().result->request.scan == scan) {
                    numbers->show(shown, images->marks());
                    showSpeeds();
                }
            });
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
        reconstruct();
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
    for (BackgroundTask* task : {&saving, &stack}) {
        connect(task, &BackgroundTask::progressed, messages, &MessageBar::setProgress);
        connect(task, &BackgroundTask::cancelled, window,
                [this] { messages->showInformation(tr("Cancelled; nothing was left behind.")); });
        connect(task, &BackgroundTask::failed, window, [this](const QString& message) { fail(message); });
    }
    connect(&stack, &BackgroundTask::cancelled, messages, &MessageBar::dismiss);
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

void MainWindow::Impl::reconstruct(bool again, bool coarse)
{
    if (!scan)
        return;
    JobRequest request{settings->comparison(sliceBar->slice()), again, coarse};
    request.asked.mask = askedMask = images->marks().mask();
    request.asked.areaName = areaName();
    asked = request.asked.a().request;
    keepSoon();
    if (!coarse && isTooLarge(request.asked.a().request))
        return;
    stopMeasuring();
    images->showComputing();
    recorded->hold(request.asked);
    if (foundDialog)
        foundDialog->hold();
    job.start(request);
    if (coarse)
        return;
    axis->setRequest(request.asked.a().request);
    trials->setRequest(request.asked.a().request);
}

bool MainWindow::Impl::isOutdated() const
{
    const engine::Request& there = shown.a().request;
    return shown.hasResult() && (there.scan != scan || !(engine::imageKey(there) == engine::imageKey(asked)));
}

void MainWindow::Impl::show(const Comparison& comparison)
{
    if (!comparison.hasResult() || comparison.a().result->request.scan != scan)
        return;
    if (std::exchange(requestFailed, false))
        messages->dismiss(); // what failed works again
    shown = comparison;
    images->show(shown);
    recorded->show(shown);
    profile->show(shown, images->marks());
    numbers->show(shown, images->marks());
    speed->show(shown);
    showSpeeds();
    const engine::Reconstruction& a = *shown.a().result;
    scanBar->showResult(a);
    if (!shown.a().isPreview())
        warnOfEmpty(a);
    axis->showUsed(a);
    trials->showUsed(a);
    sayAxisGuess(a);
}

void MainWindow::Impl::showSpeeds()
{
    if (!shown.a().isPreview())
        speed->setRuns(numbers->tried().speeds(shown.a()));
    settings->show(shown, [this](const Compared& one) { return numbers->tried().speeds(one).kernelGups; });
}

void MainWindow::Impl::stopMeasuring()
{
    meter.stop();
    numbers->setIdle(false);
}

void MainWindow::Impl::meterSpeeds()
{
    if (!shown.hasResult() || window->busy() || saving.busy() || stack.busy())
        return;
    std::vector<MeterRequest> requests;
    for (const Compared& one : shown.compared) {
        const bool isShort = one.result && one.result->timings.totalSeconds < SpeedMeter::mostSeconds;
        const int runs = numbers->tried().speeds(one).kernelGups.count;
        if (runsAgain && one.visible && isShort && !one.isPreview() && runs < SpeedMeter::enoughRuns)
            requests.push_back({one.request, engine::usedAxis(one.request.setting.axis, *one.result), runs});
    }
    if (requests.empty())
        numbers->setIdle(true);
    else
        meter.measure(std::move(requests));
}

void MainWindow::Impl::fail(const QString& message)
{
    requestFailed = false;
    messages->showError(withoutFlags(message));
    emit window->failed(message);
}

// As often as it fails: where it does so while the window is painted, the message itself would have it painted again.
void MainWindow::Impl::tell(const QString& message)
{
    if (!messages->isError() || messages->text() != withoutFlags(message))
        fail(message);
}

void MainWindow::setSlice(int slice)
{
    m_impl->sliceBar->setSlice(slice);
}
void MainWindow::runAgainWhenIdle()
{
    m_impl->runsAgain = true;
}
void MainWindow::computeAgain()
{
    m_impl->reconstruct(true);
}

void MainWindow::cancel()
{
    m_impl->opening.cancel();
    m_impl->job.cancel();
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
    return m_impl->opening.busy() || m_impl->job.busy();
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
