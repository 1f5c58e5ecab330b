// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening_controller.h"

#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/prepare/steps.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/reinterpreted_scan.h"
#include "engine/volume/fitting_alternatives.h"
#include "ui/background/persistent_state.h"
#include "ui/image/shading.h"
#include "ui/numbers/number_tabs.h"
#include "ui/opening/known_data_sets.h"
#include "ui/opening/reading_panel.h"
#include "ui/opening/scan_bar.h"
#include "ui/opening/welcome.h"
#include "ui/settings/settings_panel.h"
#include "ui/speed/speed_panel.h"
#include "ui/window/geometry_controller.h"
#include "ui/window/guess_hint.h"
#include "ui/window/message_bar.h"
#include "ui/window/reconstruction_controller.h"
#include "ui/window/slice_bar.h"
#include "ui/window/undo_controller.h"

#include <QFileInfo>
#include <QImage>
#include <QScopeGuard>

#include <memory>
#include <utility>

namespace ui
{

namespace
{

engine::OpenOptions withOutside(engine::OpenOptions options)
{
    options.allowOutside = true;
    return options;
}

} // namespace

OpeningController::OpeningController(PersistentState& state, Welcome& welcome, const InputPanels& inputs,
                                     const ResultPanels& results, MessageBar& messages, ScanController& scan,
                                     UndoController& undo, GeometryController& geometry,
                                     ReconstructionController& reconstruction)
    : m_state(state), m_welcome(welcome), m_inputs(inputs), m_results(results), m_messages(messages), m_scan(scan),
      m_undo(undo), m_geometry(geometry), m_reconstruction(reconstruction), m_start(inputs, results, messages)
{
    connect(inputs.scanBar, &ScanBar::quantityChosen, this, &OpeningController::reopenWithQuantity);
    connect(inputs.reading, &ReadingPanel::wanted, this,
            [this](const QString& path, const engine::OpenOptions& options) {
                const auto refused = [this](const QString& message) { m_inputs.reading->showProblem(message); };
                if (m_scan.scan() && m_scan.scan()->path == path.toStdString())
                    reopen(options, refused);
                else
                    openFile(path, options, refused);
            });
    connect(&reconstruction, &ReconstructionController::fitWanted, this,
            [this](const engine::Fit& fit) { reopenToFit(fit); });
    connect(&reconstruction, &ReconstructionController::sliceSizeWanted, this, &OpeningController::setSliceSize);
    connect(&reconstruction.warnings(), &ResultWarnings::leaveOutWanted, this, &OpeningController::reopenWithout);
    connect(&reconstruction.warnings(), &ResultWarnings::correctionWanted, this, [this](const engine::Doubt& doubt) {
        const OpenedScan& now = m_scan.opened();
        reopen(correctionOf(doubt, *now.scan, now.openedWith).options.value_or(now.openedWith));
    });
    // The signal may arrive late. If the old scan's image is already being computed again, its progress must stay. If
    // that image is ready, the message bar may show a message about it, which must stay, too.
    connect(&m_task, &BackgroundTask::cancelled, this, [this] {
        if (!m_reconstruction.busy())
            m_results.speed->setBusy(false);
        showWelcome();
        emit ended({});
    });
}

void OpeningController::showWelcome()
{
    QList<RecentScan> recent;
    for (const QString& path : m_state.recentScans()) {
        const std::optional<engine::OpeningWay> way = m_state.wayOf(path);
        recent << RecentScan{path, way ? QString::fromStdString(engine::inWords(*way)) : QString()};
    }
    m_welcome.setRecent(recent);
    m_welcome.setOpen(m_scan.scan() ? QString::fromStdString(m_scan.scan()->name) : QString());
    m_welcome.setVisible(!m_scan.scan());
}

void OpeningController::switchWelcome()
{
    if (!m_scan.scan() || m_task.busy())
        return;
    const bool isCovered = m_welcome.isVisible();
    showWelcome();
    m_welcome.setVisible(!isCovered);
}

void OpeningController::uncover()
{
    if (m_welcome.isVisible())
        switchWelcome();
}

void OpeningController::open(const QString& path, bool asSinogram)
{
    engine::OpenOptions options;
    options.sinogram = asSinogram;
    m_start.forgetPlace();
    openFile(path, options);
}

void OpeningController::openRecent(const QString& path)
{
    const std::optional<engine::OpeningWay> way = m_state.wayOf(path);
    if (!way || *way == engine::OpeningWay())
        return open(path, false);
    m_start.forgetPlace();
    m_start.setAxis(way->axisBins, way->axisTiltDeg);
    const auto refused = [this, path](const QString& message) {
        m_messages.showError(message, tr("Open it anew"), [this, path] { open(path, false); });
    };
    if (QFileInfo::exists(path))
        openFile(path, way->opened, refused);
    else
        openFile(path, way->opened);
}

void OpeningController::rememberWay()
{
    if (!m_scan.scan() || m_scan.scan()->path.empty())
        return;
    const engine::Setting& setting = m_inputs.settings->list().chosen().setting;
    engine::OpeningWay way{.opened = m_scan.opened().openedWith};
    if (setting.axis.mode == engine::AxisSettings::Mode::given)
        way.axisBins = setting.axis.bins;
    way.axisTiltDeg = engine::valueOf(*engine::findParameter("axis-tilt").parameter, setting.preparation);
    m_state.setWay(QString::fromStdString(m_scan.scan()->path), way);
}

void OpeningController::openFile(const QString& path, const engine::OpenOptions& options, const Refused& refused)
{
    const auto open = [file = std::filesystem::path(path.toStdString()), options,
                       known = knownDataSets(m_state.settings())](std::stop_token stop) -> OpenedScan {
        auto scan = engine::openScan(file, options, stop);
        if (known.empty() || !engine::isGuessOfDataSets(*scan, options))
            return {scan, options, {}};
        // The user's choice for a similar file takes precedence over the guess.
        const std::optional<engine::DataSets> fits = knownIn(known, engine::dataSetsIn(file, stop));
        if (!fits)
            return {scan, options, {}};
        engine::OpenOptions chosen = options;
        chosen.dataSets = *fits;
        return {engine::openScan(file, chosen, std::move(stop)), chosen, {}};
    };
    openNew({.name = QFileInfo(path).fileName(),
             .path = path,
             .options = options,
             .open = open,
             .refused = refused,
             .allow = [this, path, options, refused] { openFile(path, withOutside(options), refused); }});
}

void OpeningController::openSimulation(const engine::Simulation& simulation, const QString& label)
{
    m_start.forgetPlace();
    openNew({.name = label, .path = {}, .options = {}, .open = [simulation](std::stop_token) -> OpenedScan {
                 return {engine::simulate(simulation), {}, simulation};
             }});
}

void OpeningController::openNew(const WantedScan& wanted)
{
    run(wanted, [this, wanted](OpenedScan opened) { take(wanted, std::move(opened)); });
}

void OpeningController::reopen(const engine::OpenOptions& options, const Refused& refused,
                               const std::function<void()>& then)
{
    const std::filesystem::path file(m_scan.scan()->path);
    const auto open = [file, options](std::stop_token stop) -> OpenedScan {
        return {engine::openScan(file, options, std::move(stop)), options, {}};
    };
    run({.name = QString::fromStdString(m_scan.scan()->name),
         .path = QString::fromStdString(m_scan.scan()->path),
         .options = options,
         .open = open,
         .refused = refused,
         .allow = [this, options, refused, then] { reopen(withOutside(options), refused, then); }},
        [this, then](const OpenedScan& opened) {
            m_results.numbers->clear();
            m_results.speed->clear();
            m_geometry.take(opened.scan, opened.openedWith);
            rememberWay();
            hintAtGuesses();
            if (then)
                then();
        });
}

void OpeningController::reopenWithArc(double degrees)
{
    if (!m_scan.scan() || m_scan.scan()->path.empty())
        return m_messages.fail(tr("Only the angles of a scan that was opened from a file can be set."));
    reopen(withArc(m_scan.opened().openedWith, degrees));
}

void OpeningController::reopenWithQuantity(engine::Quantity quantity)
{
    if (!m_scan.scan() || m_scan.scan()->path.empty())
        return m_messages.fail(tr("The kind of values of a simulated scan is known."));
    engine::OpenOptions options = m_scan.opened().openedWith;
    options.values = quantity;
    reopen(options);
}

void OpeningController::reopenToFit(const engine::Fit& fit, const std::function<void()>& then)
{
    engine::OpenOptions options = m_scan.opened().openedWith;
    options.reduction = *fit.reduction;
    if (fit.size) {
        options.cone.size = fit.size->first;
        if (engine::takesConeBeam(m_scan.scan()->geometry))
            options.cone.slices = fit.size->second;
    }
    reopen(options, {}, then);
}

void OpeningController::setSliceSize(int pixels)
{
    if (const auto* beam = std::get_if<engine::ConeBeam>(&m_scan.scan()->geometry)) {
        engine::ConeOptions options = engine::saidOf(*m_scan.scan());
        options.voxelMm = beam->volume.voxelMm;
        options.slices = beam->volume.slices;
        options.size = pixels;
        m_geometry.takeAsCone(options);
        return;
    }
    engine::OpenOptions options = m_scan.opened().openedWith;
    options.cone.size = pixels;
    reopen(options);
}

void OpeningController::reopenWithout(const std::vector<engine::RowRange>& projections)
{
    engine::OpenOptions options = m_scan.opened().openedWith;
    options.reduction.leftOut = projections;
    reopen(options);
}

void OpeningController::run(const WantedScan& wanted, const std::function<void(OpenedScan)>& take)
{
    m_notice.clear();
    m_reconstruction.speeds().stop();
    m_task.disconnect(SIGNAL(failed(QString)));
    const auto kind = std::make_shared<std::optional<engine::ErrorKind>>();
    connect(&m_task, &BackgroundTask::failed, this,
            [this, wanted, kind](const QString& message) { refuse(wanted, *kind, message); });
    const auto opened = std::make_shared<OpenedScan>();
    m_results.speed->setBusy(true, tr("opening %1").arg(wanted.name), 0);
    m_welcome.hide();
    m_task.start(
        [opened, kind, open = wanted.open](std::stop_token stop, const BackgroundTask::Progress&) {
            engine::findAutomaticDevices(); // fills caches: the window later asks for the devices at every choice
            try {
                *opened = open(std::move(stop));
            } catch (const engine::Error& error) {
                *kind = error.kind();
                throw;
            }
        },
        [opened, take] { take(*opened); });
}

void OpeningController::refuse(const WantedScan& wanted, std::optional<engine::ErrorKind> kind, const QString& message)
{
    m_results.speed->setBusy(false);
    m_messages.keepNextError();
    showWelcome();
    if (wanted.allow && kind == engine::ErrorKind::outside) {
        m_messages.showError(message, tr("Open it"), wanted.allow);
    } else if (wanted.refused) {
        wanted.refused(message);
        // Information is missing, which the user can enter.
    } else if (kind == engine::ErrorKind::badRequest && !wanted.path.isEmpty()) {
        m_welcome.hide();
        m_inputs.reading->ask(wanted.path, wanted.options);
        m_inputs.reading->showProblem(message);
    } else {
        emit notOpened(wanted.path, wanted.options, message);
    }
    emit ended(message);
}

void OpeningController::take(const WantedScan& wanted, OpenedScan newOne)
{
    m_undo.beginOpening(newOne, wanted.way);
    const auto end = qScopeGuard([this] { m_undo.endOpening(); });
    m_reconstruction.warnings().forgetAxis();
    rememberWay(); // of the previous scan
    if (!wanted.path.isEmpty()) {
        m_state.addRecent(wanted.path);
        emit recentChanged();
    }
    m_scan.open(std::move(newOne));
    emit opened();
    hintAtGuesses();
    m_start.apply(*m_scan.scan());
    rememberWay();
    m_inputs.scanBar->setSlice(m_results.sliceBar->slice());
    if (wanted.then)
        wanted.then();
    m_reconstruction.reconstruct();
}

void OpeningController::setNotice(const QString& text)
{
    m_notice = text;
}

// Shows the hint in the message bar. The scan bar shows it too, and permanently.
void OpeningController::hintAtGuesses()
{
    const OpenedScan& now = m_scan.opened();
    if (const QString notice = std::exchange(m_notice, {}); !notice.isEmpty())
        return m_messages.showHint(notice, tr("Choose others…"), [this] {
            emit dataSetsWanted(QString::fromStdString(m_scan.scan()->path), m_scan.opened().openedWith);
        });
    const GuessHint hint = guessHint(*now.scan, now.openedWith);
    m_pictures.cancel();
    if (hint.text.isEmpty())
        return;
    m_messages.showHint(hint.text, hint.button, [this, options = hint.options, asks = hint.asksForAngles] {
        if (asks)
            m_inputs.reading->askForAngles();
        else if (options)
            reopen(*options);
    });
    if (!hint.otherButton.isEmpty())
        m_messages.addAction(hint.otherButton, [this, options = *hint.otherOptions] { reopen(options); });
    if (!hint.arcs.empty())
        showArcs(hint.arcs);
}

// Adds a picture of the middle slice to each button of the message, which offers these arcs.
void OpeningController::showArcs(const std::vector<engine::AngleSpread>& arcs)
{
    constexpr int side = 320; // pixels, about
    std::vector<engine::Request> requests;
    for (const engine::AngleSpread& arc : arcs) {
        engine::Request& request = requests.emplace_back();
        request.scan = engine::takenOver(*m_scan.scan(), arc);
        request.place.setSlices({m_scan.scan()->slices() / 2, 1});
        request.place.previewStep = std::max(1, m_scan.scan()->sliceSize() / side);
    }
    QImage none(1, 1, QImage::Format_Grayscale8);
    none.fill(Qt::gray);
    for (int k = 0; k < static_cast<int>(arcs.size()); ++k) // keeps their room
        m_messages.setPicture(k, none);
    const auto made = std::make_shared<std::vector<QImage>>();
    m_pictures.start(
        [requests, made](std::stop_token stop, const BackgroundTask::Progress&) {
            for (const engine::Request& request : requests) {
                std::optional<GreyWindow> window;
                made->push_back(greyPicture(
                    std::make_shared<engine::Volume>(engine::Reconstructor().run(request, {}, stop).image), window));
            }
        },
        [this, made, text = m_messages.text()] {
            for (int k = 0; k < static_cast<int>(made->size()) && m_messages.text() == text; ++k)
                m_messages.setPicture(k, (*made)[static_cast<std::size_t>(k)]);
        });
}

void OpeningController::listDataSets(const QString& path, const std::function<void(const engine::DataSetList&)>& take,
                                     const Refused& refused)
{
    const auto list = std::make_shared<engine::DataSetList>();
    m_task.disconnect(SIGNAL(failed(QString)));
    connect(&m_task, &BackgroundTask::failed, this, [this, refused](const QString& message) {
        m_results.speed->setBusy(false);
        showWelcome();
        refused ? refused(message) : m_messages.showError(message);
    });
    m_results.speed->setBusy(true, tr("inspecting %1").arg(QFileInfo(path).fileName()), 0);
    m_task.start(
        [list, file = path.toStdString()](std::stop_token stop, const BackgroundTask::Progress&) {
            *list = engine::dataSetsIn(file, std::move(stop));
        },
        [this, list, take] {
            m_results.speed->setBusy(false);
            take(*list);
        });
}

} // namespace ui
