// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window_impl.h"

#include "engine/simulate/phantom.h"
#include "ui/background/persistent_state.h"
#include "ui/image/image_panel.h"
#include "ui/opening/is_session.h"
#include "ui/opening/sample_scans.h"
#include "ui/opening/welcome.h"
#include "ui/planes/planes_panel.h"
#include "ui/recorded/recorded_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/speed/speed_panel.h"
#include "ui/stand/stand_mode.h"
#include "ui/window/actions.h"
#include "ui/window/dropped.h"
#include "ui/window/message_bar.h"
#include "ui/window/page_menu.h"

#include <QFileInfo>
#include <QScreen>
#include <QSettings>
#include <QTabWidget>

#include <string>
#include <utility>

namespace ui
{

MainWindow::Impl::Impl(MainWindow& w, PersistentState& s, ThemeFollower* theme)
    : window(w), state(s), layout(w), actions(*new Actions(w, *layout.results().images, s, theme)),
      screens(w, layout, actions),
      reconstruction(layout.inputs(), layout.results(), layout.messages(),
                     [this] { return !window.busy() && !saving.busy() && !planes.busy(); }),
      planes(*layout.inputs().settings, *layout.results().planes, layout.messages()),
      scan(layout.inputs(), layout.results(), layout.messages(), reconstruction,
           [this] { return !window.busy() && !planes.busy(); }),
      undo(layout.inputs(), layout.results(), scan, reconstruction),
      geometry(layout.inputs(), layout.results(), scan, undo, reconstruction),
      opening(s, layout.welcome(), layout.inputs(), layout.results(), layout.messages(), scan, undo, geometry,
              reconstruction),
      remedies(w, s, layout.welcome(), *layout.inputs().reading, layout.messages(), scan, opening),
      found(w, layout, scan, remedies, [this] { return window.busy(); }),
      session(w, s, layout.inputs(), layout.results(), layout.messages(), scan, opening),
      saving(w, layout.inputs(), layout.results(), layout.messages(), scan, opening, reconstruction),
      queue(w, s, *layout.inputs().settings, layout.messages(), scan, opening, saving),
      tour(*new Tour(w, layout.inputs(), layout.results()))
{
    layout.connectPanels();
    layout.connectActions(actions);
    planes.showIn(*layout.results().volume);
    connectReconstruction();
    connectActions();
    connectSettings();
    connectOpening();
    connectSaving();
    connectTour();
}

void MainWindow::Impl::settle()
{
    if (!window.busy())
        emit window.settled();
}

void MainWindow::Impl::connectReconstruction()
{
    connect(&layout.messages(), &MessageBar::failed, &window, &MainWindow::failed);
    connect(&reconstruction, &ReconstructionController::changed, &session, &SessionController::keepSoon);
    connect(&reconstruction, &ReconstructionController::started, &found, &FoundController::hold);
    connect(&reconstruction, &ReconstructionController::refused, this, [this](const QString& text) {
        emit window.failed(text);
        settle();
    });
    connect(&reconstruction, &ReconstructionController::finished, this, [this] {
        session.offerWhatWasLeft();
        queue.offer();
        reconstruction.speeds().measure();
        settle();
    });
    connect(&reconstruction, &ReconstructionController::finished, layout.results().recorded, &RecordedPanel::release);
    connect(&reconstruction, &ReconstructionController::finished, &found, &FoundController::release);
    connect(&reconstruction, &ReconstructionController::changed, &planes,
            [this](bool isDragged) { isDragged ? planes.follow() : planes.reconstruct(); });
    connect(&scan, &ScanController::replaced, &planes, [this](bool isSameObject) {
        layout.showPlanesFor(scan.scan()->slices());
        planes.setScan(scan.scan(), isSameObject);
    });
    SpeedController* speeds = &reconstruction.speeds();
    connect(&planes, &PlanesController::started, speeds, &SpeedController::stop);
    connect(&planes, &PlanesController::started, &reconstruction, &ReconstructionController::stopLoop);
    connect(&planes, &PlanesController::ended, speeds, &SpeedController::measure);
    connect(&saving, &SavingController::ended, speeds, &SpeedController::measure);
    connect(&reconstruction, &ReconstructionController::stackStarts, &planes, &PlanesController::release);
    connect(&saving, &SavingController::volumeStarts, &planes, &PlanesController::release);
    connect(&queue.queue(), &VolumeQueue::starting, &planes, &PlanesController::release);
    connect(layout.results().speed, &SpeedPanel::cancelRequested, &window, &MainWindow::cancel);
}

void MainWindow::Impl::connectActions()
{
    const auto open = [this](const QString& path) { window.open(path); };
    const auto openRecent = [this](const QString& path) {
        if (isSession(path))
            window.openSession(path);
        else
            opening.openRecent(path);
    };
    connect(&actions, &Actions::openRequested, this, open);
    connect(&actions, &Actions::recentRequested, this, openRecent);
    connect(&layout.welcome(), &Welcome::scanWanted, &actions, &Actions::askForScan);
    connect(&layout.welcome(), &Welcome::sessionWanted, &actions, &Actions::askForSession);
    connect(&layout.welcome(), &Welcome::recentChosen, this, openRecent);
    connect(&layout.welcome(), &Welcome::sampleChosen, &window, &MainWindow::openSample);
    connect(&layout.welcome(), &Welcome::backWanted, &opening, &OpeningController::switchWelcome);
    connect(&actions, &Actions::startPageRequested, &opening, &OpeningController::switchWelcome);
    connect(&layout.welcome(), &Welcome::tourWanted, &tour, &Tour::begin);
    connect(&actions, &Actions::tourRequested, &tour, &Tour::begin);
    connect(&actions, &Actions::standRequested, this, [this] { beginStand(); });
    connect(&actions, &Actions::otherProgramsRequested, layout.results().speed, &SpeedPanel::openOtherPrograms);
    connect(&actions, &Actions::cardRequested, layout.results().speed, &SpeedPanel::openCard);
    connect(&actions, &Actions::benchmarkRequested, layout.results().speed, &SpeedPanel::openBenchmark);
    connect(&actions, &Actions::tuningRequested, layout.results().speed, &SpeedPanel::openTuning);
    connect(&actions, &Actions::arcRequested, &opening, &OpeningController::reopenWithArc);
    connect(&actions, &Actions::sampleRequested, &window, &MainWindow::openSample);
    connect(&actions, &Actions::againRequested, &window, &MainWindow::computeAgain);
    connect(&actions, &Actions::cancelRequested, this, [this] {
        ImagePanel* images = layout.results().images;
        if (tour.step() >= 0)
            tour.leave();
        else if (images->tool() != Tool::none)
            images->setTool(Tool::none);
        else
            cancelComputing();
    });
    connect(&actions, &Actions::commandLineRequested, &saving, &SavingController::copyCommandLine);
    connect(layout.results().planes, &PlanesPanel::copyRequested, &saving, &SavingController::copyCommandLine);
    connect(layout.results().planes, &PlanesPanel::saveRequested, &saving, [this] { saving.askAndSave(Save::image); });
    connect(&actions, &Actions::recipeRequested, &queue, &QueueController::openRecipe);
    connect(&queue, &QueueController::planeOpened, this, [this](const std::string& plane) {
        if (planes.show(plane)) {
            opening.uncover();
            layout.results().pages->setCurrentWidget(layout.results().planes);
        }
    });
    connect(&actions, &Actions::queueRequested, &queue, &QueueController::show);
    // Nothing acts on a scan that the start page covers without showing it.
    connect(&actions, &Actions::viewRequested, &opening, &OpeningController::uncover);
    connect(&actions, &Actions::saveRequested, &opening, &OpeningController::uncover);
    connect(&actions, &Actions::saveRequested, &saving, &SavingController::askAndSave);
}

// Shows the scan that is open, or the first sample.
void MainWindow::Impl::beginStand()
{
    engine::Request request;
    if (reconstruction.shown().hasResult())
        request = reconstruction.shown().a().request;
    if (!request.scan)
        request.scan = engine::simulate(samples().front().simulation);
    request.place.previewStep = 1;
    reconstruction.stopLoop();
    reconstruction.speeds().stop();
    constexpr double secondsPerSetting = 6;
    auto* stand = new StandMode(request, secondsPerSetting, &window);
    stand->setGeometry(window.screen()->geometry()); // also where no window manager fills the screen
    connect(stand, &QObject::destroyed, &reconstruction.speeds(), &SpeedController::measure);
    stand->showFullScreen();
    stand->activateWindow();
}

void MainWindow::Impl::cancelComputing()
{
    opening.cancel();
    reconstruction.cancel();
    planes.cancel();
    if (layout.messages().isError())
        layout.messages().dismiss();
}

void MainWindow::Impl::connectSettings()
{
    SettingsPanel* settings = layout.inputs().settings;
    connect(&actions, &Actions::resetRequested, this, [this, settings] {
        settings->reset();
        reconstruction.reconstruct();
    });
    connect(&actions, &Actions::stepBackRequested, settings, &SettingsPanel::backRequested);
    connect(&actions, &Actions::stepForwardRequested, settings, &SettingsPanel::forwardRequested);
    connect(&undo, &UndoController::stepsChanged, &actions, &Actions::showSteps);
    connect(&undo, &UndoController::openingWanted, &session, &SessionController::bringBack);
    connect(&actions, &Actions::addRequested, settings, &SettingsPanel::addSetting);
    connect(&actions, &Actions::removeRequested, settings, &SettingsPanel::removeChosen);
}

void MainWindow::Impl::connectOpening()
{
    connect(&opening, &OpeningController::opened, this, [this] {
        window.setWindowTitle(QString::fromStdString(scan.scan()->name) + QStringLiteral(" — Sinoscope"));
    });
    connect(&opening, &OpeningController::recentChanged, &actions, &Actions::showRecent);
    connect(&opening, &OpeningController::ended, this, [this](const QString& error) {
        if (!error.isEmpty())
            emit window.failed(error);
        settle();
    });
}

// The tour opens a sample. What was open before comes back when it is left, unless another scan was opened meanwhile.
void MainWindow::Impl::connectTour()
{
    connect(&tour, &Tour::begun, this, [this] {
        aside = session.current();
        window.openSample(QStringLiteral("shepp-logan"));
    });
    connect(&tour, &Tour::left, this, [this] {
        if (const auto before = std::exchange(aside, {})) {
            session.bringBack(*before);
            isTourOver = true;
        }
    });
    connect(&opening, &OpeningController::opened, this, [this] {
        if (std::exchange(isTourOver, false))
            undo.clear(); // the user has no part in the tour's actions
        if (tour.step() < 0 || scan.scan()->path.empty())
            return;
        aside.reset();
        tour.leave();
    });
}

void MainWindow::Impl::connectSaving()
{
    connect(&session, &SessionController::recentChanged, &actions, &Actions::showRecent);
    connect(layout.results().planes, &PlanesPanel::moved, &session, &SessionController::keepSoon);
    connect(layout.results().planes, &PlanesPanel::marksEdited, &session, &SessionController::keepSoon);
    connect(new PageMenu(*layout.results().numbers, actions.savePlot(), &window), &PageMenu::saveRequested, &saving,
            &SavingController::askAndSave);
    connect(&saving, &SavingController::sessionWanted, &session, &SessionController::save);
    connect(&session, &SessionController::saved, &window, &MainWindow::saved);
    connect(&saving, &SavingController::saved, &window, &MainWindow::saved);
    connect(&queue, &QueueController::saved, &window, &MainWindow::saved);
    connect(&window, &MainWindow::settled, &saving, &SavingController::askAgain);
}

void MainWindow::Impl::open(const Dropped& dropped)
{
    MessageBar& messages = layout.messages();
    if (dropped.kind == Dropped::Kind::nothing)
        return messages.fail(dropped.refusal);
    if (dropped.kind == Dropped::Kind::recipe)
        return queue.openRecipe(dropped.path);
    if (saving.busy())
        return messages.fail(tr("Something is being saved: wait for it, or cancel it, then drop %1 again.")
                                 .arg(QFileInfo(dropped.path).fileName()));
    window.open(dropped.path);
}

void MainWindow::Impl::restore()
{
    QSettings* stored = state.settings();
    if (!stored)
        return;
    const ResultPanels& results = layout.results();
    session.keepIn(QFileInfo(stored->fileName()).absolutePath());
    layout.inputs().settings->restoreState(*stored);
    results.images->restoreState(*stored);
    results.recorded->restoreState(*stored);
    results.recorded->setColourMap(results.images->colourMap());
    screens.keepIn(*stored);
    saving.restoreState(*stored);
    actions.restoreState(*stored);
}

void MainWindow::Impl::save()
{
    QSettings* stored = state.settings();
    if (!stored)
        return;
    layout.inputs().settings->saveState(*stored);
    layout.results().images->saveState(*stored);
    layout.results().recorded->saveState(*stored);
    screens.save();
    opening.rememberWay();
    saving.saveState(*stored);
    actions.saveState(*stored);
}

} // namespace ui
