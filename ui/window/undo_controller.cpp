// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/undo_controller.h"

#include "ui/axis/trial_strip.h"
#include "ui/image/image_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/reconstruction_controller.h"
#include "ui/window/scan_controller.h"
#include "ui/window/slice_bar.h"

namespace ui
{

UndoController::UndoController(const InputPanels& inputs, const ResultPanels& results, ScanController& scan,
                               ReconstructionController& reconstruction)
    : m_inputs(inputs), m_results(results), m_scan(scan), m_reconstruction(reconstruction)
{
    SettingsPanel* settings = inputs.settings;
    connect(settings, &SettingsPanel::edited, this, [this](const SettingList& before, bool continues) {
        State was = now();
        was.list = before;
        record(std::move(was), continues);
    });
    connect(settings, &SettingsPanel::backRequested, this, [this] { step(m_history.back(now())); });
    connect(settings, &SettingsPanel::forwardRequested, this, [this] { step(m_history.forward(now())); });
    connect(results.images, &ImagePanel::marksEdited, this, [this](const engine::Marks& before, bool continues) {
        State was = now();
        was.marks = before;
        record(std::move(was), continues);
    });
    connect(inputs.trials, &TrialStrip::chosen, this, &UndoController::takeTrial);
}

UndoController::State UndoController::now() const
{
    return {.list = m_inputs.settings->list(),
            .marks = m_results.images->marks(),
            .scan = m_scan.scan(),
            .opened = m_scan.opened().openedWith,
            .slice = m_results.sliceBar->slice(),
            .trialStep = m_inputs.trials->stepBins()};
}

void UndoController::record(State before, bool continues)
{
    before.trialStep = m_trialStep;
    m_history.record(std::move(before), continues && !m_trialStep); // choosing a trial slice is a separate action
    showSteps();
}

void UndoController::clear()
{
    m_history.clear();
}

void UndoController::showSteps()
{
    m_inputs.settings->setSteps(m_history.canGoBack(), m_history.canGoForward());
}

void UndoController::step(std::optional<State> next)
{
    if (!next)
        return;
    if (next->scan != m_scan.scan())
        m_scan.change(next->scan, next->opened, next->marks, next->slice);
    m_inputs.settings->showList(next->list);
    if (next->trialStep)
        m_inputs.trials->setStep(*next->trialStep);
    m_results.images->setMarks(next->marks);
    showSteps();
    m_reconstruction.showMarks();
    m_reconstruction.reconstruct();
}

// The strip then halves its step. Undo restores the step, too.
void UndoController::takeTrial(double axisBins)
{
    m_trialStep = m_inputs.trials->stepBins();
    m_inputs.settings->setAxis(axisBins);
    m_trialStep.reset();
}

} // namespace ui
