// SPDX-License-Identifier: GPL-3.0-or-later
// The scan that is open, shown in the panels; another one, or the same with another geometry or more projections.
#pragma once

#include "engine/compare/marks.h"
#include "engine/io/files/protected_inputs.h"
#include "engine/io/open/open_scan.h"
#include "engine/scan/phantom.h"
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

// A scan and how it was read.
struct OpenedScan {
    std::shared_ptr<const engine::Scan> scan; // null: none
    engine::OpenOptions openedWith;
    std::optional<engine::Simulation> simulation; // that created the scan
};

// The panels and the reconstruction outlive this object.
class ScanController : public QObject
{
    Q_OBJECT
  public:
    // mayLook: whether nothing is under way on the scan as it is, so that its files may be looked at for more.
    ScanController(const InputPanels& inputs, const ResultPanels& results, MessageBar& messages,
                   ReconstructionController& reconstruction, std::function<bool()> mayLook);

    const OpenedScan& opened() const { return m_opened; }
    const std::shared_ptr<const engine::Scan>& scan() const { return m_opened.scan; }
    engine::ProtectedInputs inputFiles() const; // of the scan and the reference, which nothing may replace

    // Neither asks for an image: the settings may change first.
    void open(OpenedScan opened);
    // The same rows with another geometry, with what is drawn on its slices and the slice that is shown.
    void change(std::shared_ptr<const engine::Scan> changed, const engine::OpenOptions& openedWith,
                const engine::Marks& marks, int slice);

  signals:
    void replaced(); // by another scan, or by the same with another geometry

  private:
    void showScan(); // in the panels that know only the scan
    void showReading();
    void grow(std::shared_ptr<const engine::Scan> grown);

    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    ReconstructionController& m_reconstruction;
    OpenedScan m_opened;
    GrowthWatch m_growth; // last, so that it goes first: it cancels and waits
};

} // namespace ui
