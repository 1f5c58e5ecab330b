// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/undo_controller.h"

#include "ui/axis/trial_strip.h"
#include "ui/background/setting_differences.h"
#include "ui/image/image_panel.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/volume/volume_panel.h"
#include "ui/window/reconstruction_controller.h"
#include "ui/window/scan_controller.h"
#include "ui/window/session_panels.h"
#include "ui/window/slice_bar.h"

#include <QScopedValueRollback>

#include <utility>

namespace ui
{

namespace
{

bool isOfScan(const engine::Session& session, const OpenedScan& opened)
{
    return !opened.scan || (session.scan == opened.scan->path && session.simulation == opened.simulation);
}

} // namespace

UndoController::UndoController(const InputPanels& inputs, const ResultPanels& results, ScanController& scan,
                               ReconstructionController& reconstruction)
    : m_inputs(inputs), m_results(results), m_scan(scan), m_reconstruction(reconstruction),
      m_view(&results.images->view())
{
    SettingsPanel* settings = inputs.settings;
    connect(settings, &SettingsPanel::edited, this,
            [this, settings](const SettingList& before, const engine::Resources& sharedBefore, bool continues) {
                State was = now();
                const bool isShared = sharedBefore != std::exchange(was.comparison.resources, sharedBefore);
                const SettingList after = std::exchange(was.comparison.list, before);
                const State* last = m_history.next(HistoryWay::back);
                const bool isStep = continues && settings->isDragging() && last; // the first one may have changed more
                record(std::move(was),
                       isStep                        ? last->action
                       : isShared && before == after ? tr("device and memory")
                                                     : changeText(before, after),
                       continues);
            });
    connect(settings, &SettingsPanel::backRequested, this, [this] { step(HistoryWay::back); });
    connect(settings, &SettingsPanel::forwardRequested, this, [this] { step(HistoryWay::forward); });
    connect(results.images, &ImagePanel::marksEdited, this, [this](const engine::Marks& before, bool continues) {
        State was = now();
        was.comparison.marks = before;
        record(std::move(was), tr("lines and areas"), continues);
    });
    connect(results.images, &ImagePanel::viewChanged, this, &UndoController::recordView);
    connect(results.planes, &PlanesPanel::turned, this, &UndoController::recordTurn);
    connect(results.planes, &PlanesPanel::marksEdited, this,
            [this](int plane, const engine::Marks& before, bool continues) {
                State was = now();
                was.isOnPlanes = true;
                if (was.comparison.planes)
                    was.comparison.planes->marks[static_cast<std::size_t>(plane)] = before;
                record(std::move(was), tr("lines and areas of plane %1").arg(planeName(plane)), continues);
            });
    connect(inputs.trials, &TrialStrip::chosen, this, &UndoController::takeTrial);
    connect(&scan, &ScanController::grew, this,
            [this](const std::shared_ptr<const engine::Scan>& before) { replaceScan(before, m_scan.scan()); });
}

UndoController::State UndoController::now() const
{
    State state{.comparison = sessionOf(m_scan.opened(), m_inputs, m_results),
                .scan = m_scan.scan(),
                .view = &m_results.images->view(),
                .trialStep = m_inputs.trials->stepBins(),
                .action = {}};
    state.comparison.resources = m_inputs.settings->request(0).resources; // with the number of threads
    return state;
}

void UndoController::record(State before, const QString& action, bool continues)
{
    if (m_isQuiet)
        return;
    before.trialStep = m_trialStep;
    before.action = action;
    const State* last = m_history.next(HistoryWay::back);
    // Choosing a trial slice is a separate action, and so is a change of something else.
    m_history.record(std::move(before), continues && !m_trialStep && last && last->action == action);
    showSteps();
}

void UndoController::recordView(const View& view)
{
    State before = now();
    before.view = std::exchange(m_view, &view);
    if (m_scan.scan())
        record(std::move(before), tr("view"));
}

void UndoController::recordTurn(const LinkedPlanes& before, bool continues)
{
    State was = now();
    was.planes = before;
    was.movesPoint = before.point != m_results.planes->planes().point;
    was.isOnPlanes = true;
    std::vector<int> turned;
    for (int plane = 0; plane < LinkedPlanes::count; ++plane)
        if (const auto k = static_cast<std::size_t>(plane); before.angles[k] != m_results.planes->planes().angles[k])
            turned.push_back(plane);
    record(std::move(was), turned.size() == 1 ? tr("turn of plane %1").arg(planeName(turned.front())) : tr("planes"),
           continues);
}

void UndoController::clear()
{
    m_history.clear();
}

void UndoController::showSteps()
{
    const auto actionOf = [](const State* state) { return state ? state->action : QString(); };
    const QString back = actionOf(m_history.next(HistoryWay::back)),
                  forward = actionOf(m_history.next(HistoryWay::forward));
    m_inputs.settings->setSteps(back, forward);
    emit stepsChanged(back, forward);
}

void UndoController::beginOpening(const OpenedScan& opened, std::optional<HistoryWay> way)
{
    const State* target = way ? m_history.next(*way) : nullptr;
    if (target && isOfScan(target->comparison, opened)) {
        State left = now();
        left.action = target->action;
        m_history.change([&opened, same = target->comparison.opened](State& state) {
            if (isOfScan(state.comparison, opened) && state.comparison.opened == same)
                state.scan = opened.scan;
        });
        (void)m_history.step(*way, std::move(left));
    } else if (m_scan.scan()) {
        record(now(), tr("opening of %1").arg(QString::fromStdString(opened.scan->name)));
    } else {
        clear();
    }
    m_history.change([&opened](State& state) {
        if (!isOfScan(state.comparison, opened))
            state.scan.reset(); // frees the scan: a step to it opens it again
    });
    m_isQuiet = true;
}

void UndoController::endOpening()
{
    m_isQuiet = false;
    showSteps();
}

// A scan that has grown is another object.
void UndoController::replaceScan(const std::shared_ptr<const engine::Scan>& before,
                                 const std::shared_ptr<const engine::Scan>& after)
{
    m_history.change([&](State& state) {
        if (state.scan == before)
            state.scan = after;
    });
}

void UndoController::step(HistoryWay way)
{
    const State* next = m_history.next(way);
    if (!next)
        return;
    if (!isOfScan(next->comparison, m_scan.opened()) || (m_scan.scan() && !next->scan))
        return emit openingWanted(engine::Session(next->comparison), way);
    State left = now();
    left.action = next->action;
    left.isOnPlanes = next->isOnPlanes;
    if (next->planes)
        left.planes = m_results.planes->planes();
    left.movesPoint = next->movesPoint;
    const State to = *m_history.step(way, std::move(left));
    const QScopedValueRollback<bool> quiet(m_isQuiet, true);
    const engine::Session& comparison = to.comparison;
    if (to.scan != m_scan.scan())
        m_scan.change(to.scan, comparison.opened, comparison.marks, comparison.slice);
    if (comparison.resources != m_inputs.settings->request(0).resources)
        m_inputs.settings->setResources(comparison.resources);
    m_inputs.settings->showList(comparison.list);
    if (to.trialStep)
        m_inputs.trials->setStep(*to.trialStep);
    m_results.images->setMarks(comparison.marks);
    m_results.images->setView(*to.view);
    showPlanes(to);
    showSteps();
    m_reconstruction.showMarks();
    m_reconstruction.reconstruct();
}

// Shows the page if it isn't in front: otherwise nothing would be seen of the step.
void UndoController::showPlanes(const State& state)
{
    PlanesPanel& panel = *m_results.planes;
    if (state.planes) {
        LinkedPlanes planes = *state.planes;
        if (!state.movesPoint)
            planes.point = panel.planes().point;
        panel.setPlanes(planes);
    }
    if (const auto& stored = state.comparison.planes)
        for (int plane = 0; plane < LinkedPlanes::count; ++plane)
            if (const engine::Marks& marks = stored->marks[static_cast<std::size_t>(plane)];
                marks != panel.cell(plane).givenMarks())
                panel.setMarks(plane, marks);
    if (state.isOnPlanes && !panel.isVisible() && !m_results.volume->showsPlanes())
        m_results.pages->setCurrentWidget(&panel);
}

// The strip then halves its step. Undo restores the step, too.
void UndoController::takeTrial(double axisBins)
{
    m_trialStep = m_inputs.trials->stepBins();
    m_inputs.settings->setAxis(axisBins);
    m_trialStep.reset();
}

} // namespace ui
