// SPDX-License-Identifier: GPL-3.0-or-later
// The controller that shows the open scan in the panels: another scan, or the same with another geometry or more
// projections.
#pragma once

#include "engine/compare/marks.h"
#include "engine/io/files/protected_inputs.h"
#include "engine/io/open/open_scan.h"
#include "engine/simulate/phantom.h"
#include "ui/opening/growth_watch.h"
#include "ui/window/panels.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace ui
{

class MessageBar;
class ReconstructionController;

// A scan with its options.
struct OpenedScan {
    std::shared_ptr<const engine::Scan> scan; // null: none
    engine::OpenOptions openedWith;
    std::optional<engine::Simulation> simulation; // the scan's origin, if simulated
};

// The panels and the reconstruction outlive this object.
class ScanController : public QObject
{
    Q_OBJECT
  public:
    // mayLook: returns whether the scan isn't in use, so that its files may be checked for growth.
    ScanController(const InputPanels& inputs, const ResultPanels& results, MessageBar& messages,
                   ReconstructionController& reconstruction, std::function<bool()> mayLook);

    const OpenedScan& opened() const { return m_opened; }
    const std::shared_ptr<const engine::Scan>& scan() const { return m_opened.scan; }
    engine::ProtectedInputs inputFiles() const; // files of the scan and the reference, which must not be overwritten

    // open() and change() don't start a reconstruction, because the settings may change first.
    void open(OpenedScan opened);
    // Replaces the scan by the same recorded rows with another geometry, other marks and another slice.
    void change(std::shared_ptr<const engine::Scan> changed, const engine::OpenOptions& openedWith,
                const engine::Marks& marks, int slice);

  signals:
    void grew(const std::shared_ptr<const engine::Scan>& before);
    // By another scan, or by the same with other options or more projections; isSameObject: its slices have the same
    // size as before.
    void replaced(bool isSameObject);

  private:
    void showScan(bool isSameObject); // in panels that depend only on the scan
    void showReading();
    void grow(std::shared_ptr<const engine::Scan> grown);

    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    ReconstructionController& m_reconstruction;
    OpenedScan m_opened;
    GrowthWatch m_growth; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
