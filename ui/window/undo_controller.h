// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo for settings, marks, turns of planes, views, geometries and the opening of scans together.
#pragma once

#include "engine/documents/session.h"
#include "ui/planes/linked_planes.h"
#include "ui/widgets/history.h"
#include "ui/window/panels.h"

#include <QObject>

#include <memory>
#include <optional>

namespace ui
{

class ReconstructionController;
class ScanController;
struct OpenedScan;
struct View;

// The panels and the other controllers outlive this object.
class UndoController : public QObject
{
    Q_OBJECT
  public:
    // The state that an action of the user may change.
    struct State {
        engine::Session comparison;
        std::shared_ptr<const engine::Scan> scan; // including its geometry; null while another scan is open
        const View* view = nullptr;
        std::optional<double> trialStep = {};    // between trial slices, if the action changed it
        std::optional<LinkedPlanes> planes = {}; // if the action turned them
        bool movesPoint = false;                 // the action moved the point of the planes, too
        bool isOnPlanes = false;                 // the action is seen on the page Planes
        QString action;                          // between this state and the next or previous one, such as "view"
    };

    UndoController(const InputPanels& inputs, const ResultPanels& results, ScanController& scan,
                   ReconstructionController& reconstruction);

    State now() const;
    // continues: part of the last action.
    void record(State before, const QString& action, bool continues = false);
    // The opening of another scan is one action, or a step through the history (way): what changes between these two
    // calls isn't recorded. The first call precedes all changes.
    void beginOpening(const OpenedScan& opened, std::optional<HistoryWay> way);
    void endOpening();
    void clear(); // call showSteps() afterwards
    void showSteps();

  signals:
    void stepsChanged(const QString& back, const QString& forward); // the actions; empty: none
    // Asks to open another scan for a step: the history changes when that succeeds.
    void openingWanted(const engine::Session& session, ui::HistoryWay way);

  private:
    void recordView(const View& view);
    void recordTurn(const LinkedPlanes& before, bool continues);
    void showPlanes(const State& state);
    void step(HistoryWay way);
    void takeTrial(double axisBins);
    void replaceScan(const std::shared_ptr<const engine::Scan>& before,
                     const std::shared_ptr<const engine::Scan>& after);

    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    ScanController& m_scan;
    ReconstructionController& m_reconstruction;
    History<State> m_history;
    const View* m_view;                // shown last
    bool m_isQuiet = false;            // while a scan is opened or a state is restored
    std::optional<double> m_trialStep; // set while a trial slice is being chosen
};

} // namespace ui
