// SPDX-License-Identifier: GPL-3.0-or-later
// The controller for changes of the scan's geometry by the user: corrections, and the choice of a cone or a parallel
// beam.
#pragma once

#include "engine/io/open/open_scan.h"
#include "engine/scan/cone_options.h"
#include "ui/window/panels.h"

#include <QObject>

#include <memory>

namespace ui
{

class ReconstructionController;
class ScanController;
class UndoController;

// The panels and the other controllers outlive this object.
class GeometryController : public QObject
{
    Q_OBJECT
  public:
    GeometryController(const InputPanels& inputs, const ResultPanels& results, ScanController& scan,
                       UndoController& undo, ReconstructionController& reconstruction);

    // Shows the same recorded rows with another geometry. Settings, marks and the position in the volume stay.
    void take(std::shared_ptr<const engine::Scan> changed, const engine::OpenOptions& openedWith);
    void takeAsCone(const engine::ConeOptions& options);
    void takeAsParallel();

  private:
    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    ScanController& m_scan;
    UndoController& m_undo;
    ReconstructionController& m_reconstruction;
};

} // namespace ui
