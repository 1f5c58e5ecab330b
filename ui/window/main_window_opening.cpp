#include "ui/window/main_window_impl.h"

#include "engine/base/error.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "engine/io/open/readers.h"
#include "ui/opening/assumed_angles.h"
#include "ui/opening/found_dialog.h"
#include "ui/opening/is_session.h"
#include "ui/opening/known_data_sets.h"
#include "ui/opening/sample_scans.h"
#include "ui/widgets/without_flags.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>

#include <memory>
#include <numbers>

namespace ui
{

namespace
{

engine::OpenOptions withOutside(engine::OpenOptions options)
{
    options.allowOutside = true;
    return options;
}

QString capitalized(const std::string& words)
{
    QString text = QString::fromStdString(words);
    text[0] = text[0].toUpper();
    return text;
}

} // namespace

void MainWindow::begin(const StartOptions& options)
{
    m_impl->start = options;
    if (options.theme && m_impl->theme) {
        m_impl->theme->setTheme(*options.theme);
        m_impl->actions->showTheme();
    }
    if (options.size) {
        setWindowState(Qt::WindowNoState);
        resize(*options.size);
    }
    if (options.hasRequest) {
        m_impl->takeRequests(options);
    }
    if (isSession(options.scan)) {
        openSession(options.scan);
        if (options.slice && m_impl->start.session)
            m_impl->start.session->slice = *options.slice;
    } else if (!options.scan.isEmpty()) {
        m_impl->openFile(options.scan, options.open);
    } else {
        openSample(options.sample.isEmpty() ? samples().front().id : options.sample);
        m_impl->start.slice = options.slice;
    }
}

void MainWindow::open(const QString& path, bool asSinogram)
{
    if (isSession(path))
        return openSession(path);
    engine::OpenOptions options;
    options.sinogram = asSinogram;
    m_impl->forgetPlace();
    m_impl->openFile(path, options);
}

void MainWindow::openWithArc(double degrees)
{
    const auto& scan = m_impl->scan;
    if (!scan || scan->path.empty())
        return m_impl->messages->fail(tr("Only the angles of a scan that was opened from a file can be set."));
    engine::OpenOptions options = m_impl->openedWith;
    options.anglesRad.clear();
    options.anglesFile.clear();
    options.angleColumn = {};
    options.angleSteps.reset();
    options.angleRangeRad = {0, degrees * std::numbers::pi / 180};
    options.angleEndExcluded = true;
    m_impl->reopen(options);
}

void MainWindow::openWithQuantity(engine::Quantity quantity)
{
    const auto& scan = m_impl->scan;
    if (!scan || scan->path.empty())
        return m_impl->messages->fail(tr("What the values of a simulated scan are is known."));
    engine::OpenOptions options = m_impl->openedWith;
    options.values = quantity;
    m_impl->reopen(options);
}

// A session or slice that waited for a scan that didn't come: the next one has nothing to do with it.
void MainWindow::Impl::forgetPlace()
{
    start.session.reset();
    start.slice.reset();
}

void MainWindow::Impl::openFile(const QString& path, const engine::OpenOptions& options, const Refused& refused)
{
    const std::filesystem::path file(path.toStdString());
    const auto with = std::make_shared<engine::OpenOptions>(options);
    openInBackground(
        QFileInfo(path).fileName(),
        [file, with, known = knownDataSets(state.settings())](std::stop_token stop) {
            auto opened = engine::openScan(file, *with, stop);
            if (known.empty() || !engine::isGuessOfDataSets(*opened, *with))
                return opened;
            // What was chosen in a file like it goes before what is guessed.
            const std::optional<engine::DataSets> fits = knownIn(known, engine::dataSetsIn(file, stop));
            if (!fits)
                return opened;
            with->dataSets = *fits;
            return engine::openScan(file, *with, std::move(stop));
        },
        path, options,
        [this, path, with](std::shared_ptr<const engine::Scan> opened) { takeNew(path, *with)(std::move(opened)); },
        refused, [this, path, options, refused] { openFile(path, withOutside(options), refused); });
}

// The scan that is open, read otherwise: what is compared, drawn and looked at stays, and a step takes it back.
void MainWindow::Impl::reopen(const engine::OpenOptions& options, const Refused& refused, std::function<void()> then)
{
    const std::filesystem::path file(scan->path);
    openInBackground(
        QString::fromStdString(scan->name),
        [file, options](std::stop_token stop) { return engine::openScan(file, options, std::move(stop)); },
        QString::fromStdString(scan->path), options,
        [this, options, then](std::shared_ptr<const engine::Scan> opened) {
            numbers->clear();
            speed->clear();
            retake(std::move(opened), options);
            hintAtGuesses();
            if (then)
                then();
        },
        refused, [this, options, refused, then] { reopen(withOutside(options), refused, then); });
}

// As the panel of it says.
void MainWindow::Impl::readAs(const QString& path, const engine::OpenOptions& options)
{
    const auto refused = [this](const QString& message) { reading->showProblem(message); };
    if (scan && scan->path == path.toStdString())
        reopen(options, refused);
    else
        openFile(path, options, refused);
}

void MainWindow::Impl::askForShape(const QString& path, const engine::OpenOptions& options)
{
    messages->dismiss();
    welcome->hide();
    reading->askForShape(path, options);
}

void MainWindow::openSample(const QString& id)
{
    for (const Sample& sample : samples())
        if (sample.id == id)
            return openSimulation(sample.simulation, sample.label);
}

void MainWindow::openSimulation(const engine::Simulation& simulation, const QString& label)
{
    m_impl->forgetPlace();
    m_impl->openInBackground(
        label, [simulation](std::stop_token) { return engine::simulate(simulation); }, {}, {},
        m_impl->takeNew({}, {}, simulation));
}

MainWindow::Impl::Take MainWindow::Impl::takeNew(const QString& path, const engine::OpenOptions& options,
                                                 const std::optional<engine::Simulation>& made)
{
    return [this, path, options, made](std::shared_ptr<const engine::Scan> opened) {
        openedWith = options;
        simulation = made;
        reconstruction.warnings().forgetAxis();
        if (!path.isEmpty()) {
            state.addRecent(path);
            actions->showRecent();
        }
        setScan(std::move(opened));
    };
}

void MainWindow::Impl::openInBackground(const QString& name, Open open, const QString& path,
                                        const engine::OpenOptions& options, const Take& take, const Refused& refused,
                                        const std::function<void()>& allow)
{
    sayOnceOpen.clear();
    reconstruction.speeds().stop();
    opening.disconnect(SIGNAL(failed(QString)));
    const auto saidTooLittle = std::make_shared<bool>(false), leadsOutside = std::make_shared<bool>(false);
    const auto answer = [this, path, options, refused, allow, saidTooLittle, leadsOutside](const QString& message) {
        speed->setBusy(false);
        messages->keepNextError();
        showWelcome();
        if (allow && *leadsOutside) {
            messages->showError(withoutFlags(message), tr("Open it"), allow);
        } else if (refused) {
            refused(message);
        } else if (*saidTooLittle && !path.isEmpty()) {
            welcome->hide();
            reading->ask(path, options);
            reading->showProblem(message);
        } else {
            sayNotOpened(path, options, message);
        }
        emit window->failed(message);
        if (!window->busy())
            emit window->settled();
    };
    connect(&opening, &BackgroundTask::failed, window, answer);
    auto opened = std::make_shared<std::shared_ptr<const engine::Scan>>();
    speed->setBusy(true, tr("opening %1").arg(name), 0);
    welcome->hide();
    opening.start(
        [opened, saidTooLittle, leadsOutside, open = std::move(open)](std::stop_token stop,
                                                                      const BackgroundTask::Progress&) {
            engine::cudaDevices(); // known from here on: the window asks it for every choice that it offers
            try {
                *opened = open(std::move(stop));
            } catch (const engine::Error& error) {
                *leadsOutside = error.kind() == engine::ErrorKind::outside;
                *saidTooLittle = error.kind() == engine::ErrorKind::badRequest;
                throw;
            }
        },
        [opened, take] { take(*opened); });
}

// With the way to open it after all: as what a reader takes for the asking, or by saying what the file doesn't.
void MainWindow::Impl::sayNotOpened(const QString& path, const engine::OpenOptions& options, const QString& said)
{
    const std::filesystem::path file(path.toStdString());
    const QString message = withoutFlags(said);
    if (const engine::Reader* other = engine::alternativeFor(file, options))
        messages->showError(message, tr(other->offer), [this, path, options, other] {
            engine::OpenOptions asking = options;
            other->ask(asking);
            openFile(path, asking);
        });
    else if (!options.raw && engine::hasDataSets(file))
        openAsKnown(path, options, message);
    else if (!options.raw && QFileInfo(path).isFile() && QFileInfo(path).size() > 0 && !engine::containerOf(file))
        messages->showError(message, tr("Say its shape…"), [this, path, options] { askForShape(path, options); });
    else
        messages->showError(message);
}

void MainWindow::Impl::setScan(std::shared_ptr<const engine::Scan> opened)
{
    messages->dismiss();
    stack.cancel(); // of the scan before
    scan = std::move(opened);
    reconstruction.setScan(scan);
    images->clear(tr("reconstructing…"));
    profile->clear();
    numbers->clear();
    volume->clear();
    volume->setScan(scan);
    recorded->setScan(scan);
    if (foundDialog)
        foundDialog->setScan(scan);
    speed->clear();
    settings->setScan(scan);
    history.clear(); // of another scan
    scanBar->setScan(scan.get());
    reading->show(scan, openedWith);
    growth.watch(scan, openedWith);
    sliceBar->setRange(scan->slices());
    window->setWindowTitle(QString::fromStdString(scan->name) + QStringLiteral(" — Sinoscope"));
    hintAtGuesses();
    applyStart();
    showSteps();
    scanBar->setSlice(sliceBar->slice());
    reconstruction.reconstruct();
}

// What was guessed of the scan and would make a wrong image, with the way out; the scan bar says it too, and stays.
void MainWindow::Impl::hintAtGuesses()
{
    const QString known = std::exchange(sayOnceOpen, {});
    Hint hint;
    if (!known.isEmpty())
        hint = {known, tr("Choose others…"),
                [this] { chooseDataSets(QString::fromStdString(scan->path), openedWith); }};
    else if (scan->axesLookExchanged())
        hint = {capitalized(scan->exchangeSign) + QLatin1Char('.'), tr("Transpose"),
                [this] { reopen(engine::withExchangedAxes(openedWith, *scan)); }};
    else if (scan->offeredSides)
        hint = hintAtSides(*scan->offeredSides);
    else if (!scan->quantityDoubt.empty())
        hint = hintAtValues();
    else if (scan->anglesAssumed || scan->likelierTurn)
        hint = hintAtAngles();
    if (!hint.text.isEmpty())
        messages->showHint(hint.text, hint.button, hint.act);
}

// Flats and darks that seem to be among the projections.
MainWindow::Impl::Hint MainWindow::Impl::hintAtSides(const engine::SideFrames& sides)
{
    const QString button = sides.darks.empty()   ? tr("They are flats")
                           : sides.flats.empty() ? tr("They are darks")
                                                 : tr("They are flats and darks");
    return {withoutFlags(QString::fromStdString(sidesText(sides))), button, [this, sides] {
                engine::OpenOptions options = openedWith;
                options.darkFrames = sides.darks;
                options.flatFrames = sides.flats;
                reopen(options);
            }};
}

MainWindow::Impl::Hint MainWindow::Impl::hintAtValues()
{
    const auto words = [](engine::Quantity quantity) {
        return QString::fromStdString(engine::toText(quantity)).replace('-', ' ');
    };
    const QString text = tr("The values are taken as %1. %2")
                             .arg(words(scan->quantity), withoutFlags(QString::fromStdString(scan->quantityDoubt)));
    const auto other = scan->quantityAlternative;
    return {scan->anglesAssumed ? text + QLatin1Char('\n') + assumedAngles() : text,
            other ? tr("They are %1").arg(words(*other)) : QString(), [this, other] {
                if (other)
                    window->openWithQuantity(*other);
            }};
}

QString MainWindow::Impl::assumedAngles() const
{
    return tr("The scan has no angles. Assumed: %1.").arg(assumedAnglesText(*scan));
}

MainWindow::Impl::Hint MainWindow::Impl::hintAtAngles()
{
    const auto giveThem = [this](const QString& text) {
        return Hint{text, tr("Give the angles…"), [this] { reading->askForAngles(); }};
    };
    const auto takeInstead = [this](const QString& text, const engine::AngleSpread& spread) {
        return Hint{text, tr("Take %1 instead").arg(QString::fromStdString(toText(spread))),
                    [this, spread] { reopen(engine::withSpread(openedWith, spread)); }};
    };
    if (scan->anglesAssumed && scan->offeredAngles)
        return hintAtOfferedAngles(*scan->offeredAngles);
    if (const auto& likelier = scan->likelierTurn) {
        const QString text = QString::fromStdString(likelierText(*likelier));
        return likelier->isUneven ? giveThem(text) : takeInstead(text, likelier->spread);
    }
    if (scan->assumedTurn && scan->assumedTurn->isUneven)
        return giveThem(assumedAngles());
    if (scan->assumedTurn && scan->assumedTurn->alternative)
        return takeInstead(assumedAngles(), *scan->assumedTurn->alternative);
    const double other = std::holds_alternative<engine::ConeBeam>(scan->geometry) ? 180 : 360;
    return {assumedAngles(), tr("Take %1° instead").arg(other), [this, other] { window->openWithArc(other); }};
}

// Some lines of a file beside the scan.
MainWindow::Impl::Hint MainWindow::Impl::hintAtOfferedAngles(const engine::OfferedAngles& offered)
{
    const QString lines = tr("lines %1 to %2").arg(offered.firstLine).arg(offered.lastLine);
    const QString text = tr("%1 beside it has more angles than there are projections; those of its %2 fit.")
                             .arg(QString::fromStdString(offered.file.filename().string()), lines);
    return {assumedAngles() + QLatin1Char('\n') + text, tr("Use %1").arg(lines), [this, offered] {
                engine::OpenOptions options = openedWith;
                options.anglesRad.clear();
                options.angleRangeRad.reset();
                options.angleSteps.reset();
                options.anglesFile = offered.file;
                options.angleColumn = {};
                options.angleColumn.lines = std::pair(offered.firstLine, offered.lastLine);
                reopen(options);
            }};
}

// One setting, or a second that it is compared with.
void MainWindow::Impl::takeRequests(const StartOptions& options)
{
    settings->setList({});
    settings->setRequest(options.request);
    if (!options.second)
        return;
    engine::Request second = options.request;
    Choices::of(*options.second).applyTo(second);
    SettingList list = settings->list();
    list.reference = {ReferenceChoice::Kind::setting, list.add(second.setting).id};
    settings->setList(list);
}

// What only a scan gives meaning to: the slice, a given axis.
void MainWindow::Impl::applyStart()
{
    const StartOptions options = std::exchange(start, {});
    settings->showCarriedOver(!options.session && !options.hasRequest);
    if (options.session)
        return takeSession(*options.session);
    if (options.hasRequest) {
        takeRequests(options);
    }
    if (!options.slice)
        return;
    if (*options.slice < scan->slices())
        sliceBar->setSlice(*options.slice);
    else
        messages->fail(
            tr("Slice %1 is not in the scan, which has slices 0 to %2.").arg(*options.slice).arg(scan->slices() - 1));
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
