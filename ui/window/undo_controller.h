// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo for settings, marks and geometries together.
#pragma once

#include "engine/compare/marks.h"
#include "engine/io/open/open_scan.h"
#include "ui/background/comparison.h"
#include "ui/widgets/history.h"
#include "ui/window/panels.h"

#include <QObject>

#include <memory>
#include <optional>

namespace ui
{

class ReconstructionController;
class ScanController;

// The panels and the other controllers outlive this object.
class UndoController : public QObject
{
    Q_OBJECT
  public:
    // The state that an action of the user may change.
    struct State {
        SettingList list;
        engine::Marks marks;
        std::shared_ptr<const engine::Scan> scan; // including its geometry
        engine::OpenOptions opened;
        int slice = 0;                        // the shown one
        std::optional<double> trialStep = {}; // between trial slices, if the action halved it
    };

    UndoController(const InputPanels& inputs, const ResultPanels& results, ScanController& scan,
                   ReconstructionController& reconstruction);

    State now() const;
    void record(State before, bool continues = false); // continues: part of the last action
    void clear();                                      // for another scan; call showSteps() afterwards
    void showSteps();

  private:
    void step(std::optional<State> next);
    void takeTrial(double axisBins);

    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    ScanController& m_scan;
    ReconstructionController& m_reconstruction;
    History<State> m_history;
    std::optional<double> m_trialStep; // set while a trial slice is being chosen
};

} // namespace ui
