// SPDX-License-Identifier: GPL-3.0-or-later
// Steps back and forward through settings, marks and geometries alike.
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
    // What an act of the user changes.
    struct State {
        SettingList list;
        engine::Marks marks;
        std::shared_ptr<const engine::Scan> scan; // with its geometry
        engine::OpenOptions opened;
        int slice = 0;                        // that was shown
        std::optional<double> trialStep = {}; // between trial slices, where the act halved it
    };

    UndoController(const InputPanels& inputs, const ResultPanels& results, ScanController& scan,
                   ReconstructionController& reconstruction);

    State now() const;
    void record(State before, bool continues = false); // continues: one act with the last one
    void clear();                                      // of another scan; showSteps() is still to be called
    void showSteps();

  private:
    void step(std::optional<State> next);
    void takeTrial(double axisBins);

    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    ScanController& m_scan;
    ReconstructionController& m_reconstruction;
    History<State> m_history;
    std::optional<double> m_trialStep; // while a trial slice is taken
};

} // namespace ui
