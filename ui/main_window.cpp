#include "ui/main_window.h"

#include "engine/error.h"
#include "engine/io/open_scan.h"
#include "ui/actions.h"
#include "ui/background_task.h"
#include "ui/export.h"
#include "ui/image/image_panel.h"
#include "ui/image/layout_chooser.h"
#include "ui/message_bar.h"
#include "ui/profile/profile_panel.h"
#include "ui/reconstruction_job.h"
#include "ui/repeat_command.h"
#include "ui/samples.h"
#include "ui/scan_bar.h"
#include "ui/settings_panel.h"
#include "ui/slice_bar.h"
#include "ui/speed/speed_panel.h"
#include "ui/stack.h"
#include "ui/theme.h"
#include "ui/volume/volume_panel.h"

#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGraphicsView>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

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

constexpr int sideWidth = 224;
constexpr int smallestProfile = 176;  // in height, while the window shares it out
constexpr double countedRadius = 0.9; // of the disc that the metrics count, where no region is drawn

bool isTiff(const QString& path)
{
    return path.endsWith(QLatin1String(".tif"), Qt::CaseInsensitive) ||
           path.endsWith(QLatin1String(".tiff"), Qt::CaseInsensitive);
}

QFrame* verticalLine()
{
    auto* line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Midlight);
    return line;
}

} // namespace

struct MainWindow::Impl : QObject {
    Impl(MainWindow* window, Session& session, ThemeFollower* theme);

    MainWindow* window;
    Session& session;
    ThemeFollower* theme;

    std::shared_ptr<const engine::Scan> scan;
    engine::OpenOptions openedWith;
    std::optional<engine::Simulation> simulation; // that the scan was made by
    Comparison shown;
    QString saveFolder = QDir::currentPath(); // where the last file went
    StartOptions start;                       // applied to the first scan that opens
    bool splitByHand = false;                 // the user has drawn the line between images and profile
    bool requestFailed = false;               // the error on show is of the last request, and goes when one succeeds

    ScanBar* scanBar = new ScanBar;
    SettingsPanel* settings = new SettingsPanel;
    ImagePanel* images = new ImagePanel;
    SliceBar* sliceBar = new SliceBar;
    ProfilePanel* profile = new ProfilePanel;
    VolumePanel* volume = new VolumePanel;
    SpeedPanel* speed = new SpeedPanel;
    QSplitter* splitter = new QSplitter(Qt::Vertical);
    std::vector<QWidget*> sides; // left and right, with their lines
    QTabWidget* tabs = new QTabWidget;
    MessageBar* messages = nullptr;
    Actions* actions = nullptr;

    // Last, so that they go first: they cancel and wait.
    ReconstructionJob job;
    BackgroundTask opening;
    BackgroundTask saving;
    BackgroundTask stack;
    BackgroundTask devices;

    void layOut();
    QWidget* makeMiddle();
    void shareHeight();
    bool eventFilter(QObject* watched, QEvent* event) override;
    void connectPanels();
    void connectActions();
    void connectTasks();
    void findDevices();
    void restore();
    void save();
    void setScan(std::shared_ptr<const engine::Scan> opened);
    void applyStart();
    void reconstruct(bool again = false);
    void show(const Comparison& comparison);
    void fail(const QString& message);
    void openInBackground(const QString& name, std::function<std::shared_ptr<const engine::Scan>()> open,
                          const QString& path, const engine::OpenOptions& options,
                          const std::optional<engine::Simulation>& made = {});
    void openFile(const QString& path, const engine::OpenOptions& options);
    void saveInBackground(const QString& path, const QString& what, BackgroundTask::Work work);
    void makeStack(int step);
    void copyCommandLine();
};

MainWindow::Impl::Impl(MainWindow* w, Session& s, ThemeFollower* t) : window(w), session(s), theme(t) {}

MainWindow::MainWindow(Session& session, ThemeFollower* theme, QWidget* parent)
    : QMainWindow(parent), m_impl(std::make_unique<Impl>(this, session, theme))
{
    setWindowTitle(tr("Sinoscope"));
    initialiseResources();
    setWindowIcon(QIcon(QStringLiteral(":/icons/sinoscope.svg")));
    setAcceptDrops(true);
    resize(1280, 800);
    session.load();
    m_impl->layOut();
    m_impl->actions = new Actions(*this, *m_impl->images, session, theme);
    m_impl->connectPanels();
    m_impl->connectActions();
    m_impl->connectTasks();
    m_impl->restore();
    m_impl->images->clear(tr("Open a scan with Ctrl+O, or drop one here"));
    m_impl->findDevices();
}

MainWindow::~MainWindow() = default;

QWidget* MainWindow::Impl::makeMiddle()
{
    auto* side = new QScrollArea;
    side->setFrameShape(QFrame::NoFrame);
    side->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    side->setWidgetResizable(true);
    side->setWidget(settings);
    side->setFixedWidth(settings->minimumSizeHint().width());

    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(0, 0, 0, 0);
    topLayout->setSpacing(0);
    topLayout->addWidget(images, 1);
    topLayout->addWidget(sliceBar);
    splitter->addWidget(top);
    splitter->addWidget(profile);
    splitter->setStretchFactor(0, 1);
    splitter->setCollapsible(0, false);
    splitter->installEventFilter(this);
    tabs->setDocumentMode(true);
    tabs->setCornerWidget(new LayoutChooser(*images), Qt::TopRightCorner);
    tabs->addTab(splitter, tr("Slice"));
    tabs->addTab(volume, tr("3-D"));
    tabs->setAccessibleName(tr("Views"));

    auto* middle = new QWidget;
    auto* row = new QHBoxLayout(middle);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    QFrame* leftLine = verticalLine();
    QFrame* rightLine = verticalLine();
    row->addWidget(side);
    row->addWidget(leftLine);
    row->addWidget(tabs, 1);
    row->addWidget(rightLine);
    row->addWidget(speed);
    speed->setFixedWidth(std::max(sideWidth, speed->minimumSizeHint().width()));
    sides = {side, leftLine, rightLine, speed};
    return middle;
}

void MainWindow::Impl::layOut()
{
    auto* central = new QWidget;
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(scanBar);
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Midlight);
    column->addWidget(line);
    column->addWidget(makeMiddle(), 1);
    window->setCentralWidget(central);
    messages = new MessageBar(tabs, tabs->tabBar()->sizeHint().height() + 8);
    // Graphics views take every drag for their scenes; files dropped on an image are for the window.
    for (QGraphicsView* view : window->findChildren<QGraphicsView*>()) {
        view->setAcceptDrops(false);
        view->viewport()->setAcceptDrops(false);
    }
}

// The images get the height at which they fill their width, and the curves the rest; no less than
// they need. Until the user draws that line.
void MainWindow::Impl::shareHeight()
{
    if (splitByHand)
        return;
    const int wanted = images->heightFor(splitter->width()) + sliceBar->sizeHint().height();
    const int room = splitter->height() - splitter->handleWidth();
    const int top = std::clamp(wanted, 0, std::max(room - smallestProfile, 0));
    splitter->setSizes({top, room - top});
}

bool MainWindow::Impl::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == splitter && event->type() == QEvent::Resize)
        shareHeight();
    return false;
}

void MainWindow::Impl::connectPanels()
{
    connect(splitter, &QSplitter::splitterMoved, window, [this] { splitByHand = true; });
    connect(images, &ImagePanel::layoutChanged, window, [this] {
        splitByHand = false; // another layout wants another height
        shareHeight();
    });
    connect(settings, &SettingsPanel::changed, window, [this] { reconstruct(); });
    connect(sliceBar, &SliceBar::sliceChanged, window, [this](int slice) {
        scanBar->setSlice(slice);
        reconstruct();
    });
    connect(images, &ImagePanel::lineChanged, window, [this](const engine::Line& line) {
        if (shown.a)
            profile->show(shown, line);
    });
    connect(images, &ImagePanel::regionChanged, window, [this] { reconstruct(); });
    connect(images, &ImagePanel::pointerMoved, sliceBar, &SliceBar::showPointer);
    connect(speed, &SpeedPanel::cancelRequested, window, &MainWindow::cancel);
    connect(volume, &VolumePanel::reconstructStackRequested, window, [this](int step) { makeStack(step); });

    connect(&job, &ReconstructionJob::updated, window, [this](const Comparison& comparison) { show(comparison); });
    connect(&job, &ReconstructionJob::progressed, window,
            [this](const QString& stage, double fraction) { speed->setBusy(true, stage, fraction); });
    connect(&job, &ReconstructionJob::failed, window, [this](const QString& message) {
        fail(message);
        requestFailed = true;
    });
    connect(&job, &ReconstructionJob::finished, window, [this] {
        speed->setBusy(false);
        if (!window->busy())
            emit window->settled();
    });
}

void MainWindow::Impl::connectActions()
{
    connect(actions, &Actions::openRequested, window, [this](const QString& path) { window->open(path); });
    connect(actions, &Actions::arcRequested, window, &MainWindow::openWithArc);
    connect(actions, &Actions::sampleRequested, window, &MainWindow::openSample);
    connect(actions, &Actions::stepRequested, sliceBar, &SliceBar::step);
    connect(actions, &Actions::againRequested, window, &MainWindow::computeAgain);
    connect(actions, &Actions::cancelRequested, window, &MainWindow::cancel);
    connect(actions, &Actions::resetRequested, window, [this] {
        settings->reset();
        reconstruct();
    });
    connect(actions, &Actions::compareSwitched, window, [this] {
        const bool second = settings->second(0).has_value();
        settings->setSecond(second ? std::nullopt : std::optional(Choices::of(settings->request(0))));
        reconstruct();
    });
    connect(actions, &Actions::viewRequested, tabs, &QTabWidget::setCurrentIndex);
    connect(tabs, &QTabWidget::currentChanged, window,
            [this](int tab) { tabs->cornerWidget(Qt::TopRightCorner)->setVisible(tab == 0); });
    connect(actions, &Actions::sidePanelsSwitched, window, [this](bool visible) {
        for (QWidget* side : sides)
            side->setVisible(visible);
    });
    connect(actions, &Actions::commandLineRequested, window, [this] { copyCommandLine(); });
    connect(actions, &Actions::saveRequested, window, [this](Actions::Save what) {
        if (!shown.a)
            return fail(tr("There is nothing to save yet; open a scan first."));
        const QString name = defaultName(*scan, shown.slice);
        const QString path = askForFile(window, what, name, saveFolder);
        if (path.isEmpty())
            return;
        saveFolder = QFileInfo(path).absolutePath();
        switch (what) {
        case Actions::Save::image:
            return window->saveImage(path);
        case Actions::Save::difference:
            return window->saveDifference(path);
        case Actions::Save::profile:
            return window->saveProfile(path);
        case Actions::Save::volume:
            return window->saveVolume(path);
        }
    });
}

void MainWindow::Impl::connectTasks()
{
    const auto quiet = [this] {
        messages->dismiss();
        speed->setBusy(false);
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

void MainWindow::Impl::findDevices()
{
    auto found = std::make_shared<engine::CudaDevices>();
    devices.start([found](std::stop_token, const BackgroundTask::Progress&) { *found = engine::cudaDevices(); },
                  [this, found] { settings->setDevices(*found); });
}

void MainWindow::Impl::restore()
{
    QSettings* stored = session.settings();
    if (!stored)
        return;
    settings->restoreState(*stored);
    images->restoreState(*stored);
    window->restoreGeometry(stored->value(QStringLiteral("geometry")).toByteArray());
    splitByHand = splitter->restoreState(stored->value(QStringLiteral("splitter")).toByteArray());
    const QString folder = stored->value(QStringLiteral("saveFolder")).toString();
    if (QFileInfo(folder).isDir())
        saveFolder = folder;
    actions->showSidePanels(stored->value(QStringLiteral("sidePanels"), true).toBool());
    if (theme)
        theme->setTheme(themeFromText(stored->value(QStringLiteral("theme")).toString()));
    actions->showTheme();
}

void MainWindow::Impl::save()
{
    QSettings* stored = session.settings();
    if (!stored)
        return;
    settings->saveState(*stored);
    images->saveState(*stored);
    stored->setValue(QStringLiteral("geometry"), window->saveGeometry());
    if (splitByHand)
        stored->setValue(QStringLiteral("splitter"), splitter->saveState());
    else
        stored->remove(QStringLiteral("splitter"));
    stored->setValue(QStringLiteral("saveFolder"), saveFolder);
    stored->setValue(QStringLiteral("sidePanels"), actions->sidePanels());
    if (theme)
        stored->setValue(QStringLiteral("theme"), toText(theme->theme()));
}

void MainWindow::begin(const StartOptions& options)
{
    m_impl->start = options;
    if (options.theme && m_impl->theme) {
        m_impl->theme->setTheme(*options.theme);
        m_impl->actions->showTheme();
    }
    if (options.size)
        resize(*options.size);
    if (options.hasRequest) {
        m_impl->settings->setRequest(options.request);
        m_impl->settings->setSecond(options.second ? std::optional(Choices::of(*options.second)) : std::nullopt);
    }
    if (!options.scan.isEmpty())
        open(options.scan, options.sinogram);
    else
        openSample(options.sample.isEmpty() ? samples().front().id : options.sample);
}

void MainWindow::open(const QString& path, bool asSinogram)
{
    engine::OpenOptions options;
    options.sinogram = asSinogram;
    m_impl->openFile(path, options);
}

void MainWindow::openWithArc(double degrees)
{
    const auto& scan = m_impl->scan;
    if (!scan || scan->path.empty())
        return m_impl->fail(tr("Only the angles of a scan that was opened from a file can be set."));
    const int projections = scan->beam().projections();
    const double last = degrees * std::numbers::pi / 180 * (projections - 1) / projections;
    engine::OpenOptions options = m_impl->openedWith;
    options.angleRangeRad = {0, last};
    m_impl->start.slice = slice(); // the one that is shown
    m_impl->openFile(QString::fromStdString(scan->path), options);
}

void MainWindow::Impl::openFile(const QString& path, const engine::OpenOptions& options)
{
    const std::filesystem::path file(path.toStdString());
    openInBackground(
        QFileInfo(path).fileName(), [file, options] { return engine::openScan(file, options); }, path, options);
}

void MainWindow::openSample(const QString& id)
{
    for (const Sample& sample : samples())
        if (sample.id == id)
            return openSimulation(sample.simulation, sample.label);
}

void MainWindow::openSimulation(const engine::Simulation& simulation, const QString& label)
{
    m_impl->openInBackground(
        label, [simulation] { return engine::simulate(simulation); }, {}, {}, simulation);
}

void MainWindow::Impl::openInBackground(const QString& name, std::function<std::shared_ptr<const engine::Scan>()> open,
                                        const QString& path, const engine::OpenOptions& options,
                                        const std::optional<engine::Simulation>& made)
{
    const bool mayBeSinogram = isTiff(path) && !options.sinogram;
    opening.disconnect(SIGNAL(failed(QString)));
    connect(&opening, &BackgroundTask::failed, window, [this, path, mayBeSinogram](const QString& message) {
        speed->setBusy(false);
        requestFailed = false;
        if (mayBeSinogram)
            messages->showError(message, tr("Open as sinogram"), [this, path] { window->open(path, true); });
        else
            messages->showError(message);
        emit window->failed(message);
        if (!window->busy())
            emit window->settled();
    });
    auto opened = std::make_shared<std::shared_ptr<const engine::Scan>>();
    speed->setBusy(true, tr("opening %1").arg(name), 0);
    opening.start(
        [opened, open = std::move(open)](std::stop_token, const BackgroundTask::Progress&) {
            engine::cudaDevices(); // known from here on: the window asks it for every choice that it offers
            *opened = open();
        },
        [this, opened, path, options, made] {
            openedWith = options;
            simulation = made;
            if (!path.isEmpty()) {
                session.addRecent(path);
                actions->showRecent();
            }
            setScan(*opened);
        });
}

void MainWindow::Impl::setScan(std::shared_ptr<const engine::Scan> opened)
{
    messages->dismiss();
    stack.cancel(); // of the scan before
    scan = std::move(opened);
    shown = {};
    images->clear();
    profile->clear();
    volume->clear();
    settings->setScan(scan);
    scanBar->setScan(scan.get());
    sliceBar->setRange(scan->rows);
    window->setWindowTitle(QString::fromStdString(scan->name) + QStringLiteral(" — Sinoscope"));
    if (scan->anglesAssumed)
        messages->showHint(tr("The scan has no angles; an even spread over 180° is assumed."), tr("It is 360°"),
                           [this] { window->openWithArc(360); });
    applyStart();
    scanBar->setSlice(sliceBar->slice());
    reconstruct();
}

// What only a scan gives meaning to: the slice, a given axis.
void MainWindow::Impl::applyStart()
{
    const StartOptions options = std::exchange(start, {});
    if (options.hasRequest) {
        settings->setRequest(options.request);
        settings->setSecond(options.second ? std::optional(Choices::of(*options.second)) : std::nullopt);
    }
    if (!options.slice)
        return;
    if (*options.slice < scan->rows)
        sliceBar->setSlice(*options.slice);
    else
        fail(tr("Slice %1 is not in the scan, which has slices 0 to %2.").arg(*options.slice).arg(scan->rows - 1));
}

void MainWindow::Impl::reconstruct(bool again)
{
    if (!scan)
        return;
    JobRequest request;
    request.slice = sliceBar->slice();
    request.a = settings->request(request.slice);
    request.b = settings->second(request.slice);
    request.mask.region = images->region();
    if (!request.mask.region)
        request.mask.discRadius = countedRadius;
    request.again = again;
    job.start(request);
}

void MainWindow::Impl::show(const Comparison& comparison)
{
    if (!comparison.a || comparison.a->request.scan != scan)
        return;
    if (std::exchange(requestFailed, false))
        messages->dismiss(); // what failed works again
    shown = comparison;
    images->show(shown);
    profile->show(shown, images->line());
    speed->show(shown);
    settings->showUsedAxis(shown.a->axisBins, shown.a->axisSource);
    scanBar->showResult(*shown.a);
}

void MainWindow::Impl::fail(const QString& message)
{
    requestFailed = false;
    messages->showError(message);
    emit window->failed(message);
}

void MainWindow::setSlice(int slice)
{
    m_impl->sliceBar->setSlice(slice);
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

void MainWindow::Impl::saveInBackground(const QString& path, const QString& what, BackgroundTask::Work work)
{
    if (saving.busy())
        return fail(tr("Something is being saved already; wait for it, or cancel it."));
    messages->showProgress(tr("Saving %1 to %2").arg(what, QDir::toNativeSeparators(path)),
                           [this] { saving.cancel(); });
    saving.start(std::move(work), [this, path] {
        messages->showInformation(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
        emit window->saved(path);
    });
}

void MainWindow::saveImage(const QString& path)
{
    const QImage rendered = m_impl->images->rendered(ImagePanel::Content::a);
    m_impl->saveInBackground(path, tr("image A"), imageWriter(path, m_impl->shown.planeA, rendered));
}

void MainWindow::saveDifference(const QString& path)
{
    const Comparison& shown = m_impl->shown;
    if (!shown.planeA || !shown.planeB)
        return m_impl->fail(tr("There is no difference to save yet; wait for image B."));
    const QImage rendered = m_impl->images->rendered(ImagePanel::Content::difference);
    m_impl->saveInBackground(path, tr("the difference"), differenceWriter(path, shown.planeA, shown.planeB, rendered));
}

void MainWindow::saveProfile(const QString& path)
{
    try {
        if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive))
            m_impl->profile->saveCsv(path);
        else
            m_impl->profile->saveImage(path);
        m_impl->messages->showInformation(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
        emit saved(path);
    } catch (...) {
        m_impl->fail(messageOfCurrentException());
    }
}

void MainWindow::saveVolume(const QString& path)
{
    const engine::Request request = m_impl->settings->request(0);
    // A file was asked about in the dialog; slices in a folder are never written over.
    const bool overwrite = path.endsWith(QLatin1String(".h5"), Qt::CaseInsensitive);
    m_impl->saveInBackground(path, tr("the volume"),
                             [request, opened = m_impl->openedWith, path,
                              overwrite](std::stop_token stop, const BackgroundTask::Progress& progress) {
                                 writeStack(request, opened, path.toStdString(), overwrite, progress, stop);
                             });
}

void MainWindow::Impl::makeStack(int step)
{
    if (!scan)
        return fail(tr("Open a scan first."));
    auto result = std::make_shared<std::shared_ptr<const engine::Reconstruction>>();
    const engine::Request request = settings->request(0);
    messages->showProgress(tr("Reconstructing the stack"), [this] { stack.cancel(); });
    stack.start(
        [result, request, step](std::stop_token stop, const BackgroundTask::Progress& progress) {
            *result = reconstructStack(request, step, progress, stop);
        },
        [this, result] {
            messages->dismiss();
            volume->setVolume(*result);
        });
}

void MainWindow::Impl::copyCommandLine()
{
    if (!shown.a)
        return fail(tr("There is nothing to repeat yet; open a scan first."));
    const QString command = repeatCommand(*shown.a, openedWith, simulation, defaultName(*scan, shown.slice));
    QGuiApplication::clipboard()->setText(command);
    messages->showInformation(tr("Copied: %1").arg(command));
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
