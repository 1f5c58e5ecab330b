// SPDX-License-Identifier: GPL-3.0-or-later
// Opens scans in the background: files, simulations, sessions, and the one that is open read in another way.
#pragma once

#include "engine/base/error.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "ui/background/background_task.h"
#include "ui/window/scan_controller.h"
#include "ui/window/scan_start.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

namespace engine
{
struct Fit;
}

namespace ui
{

class GeometryController;
class PersistentState;
class UndoController;
class Welcome;

// A scan that is to be opened.
struct WantedScan {
    QString name;
    QString path; // empty: it comes from no file
    engine::OpenOptions options;
    std::function<OpenedScan(std::stop_token)> open; // in the background
    // Gets the message of a failure, in place of the message bar.
    std::function<void(const QString&)> refused = {};
    // Opens it with what lies outside its folder, where the user allows that.
    std::function<void()> allow = {};
};

// The panels and the other controllers outlive this object.
class OpeningController : public QObject
{
    Q_OBJECT
  public:
    using Refused = std::function<void(const QString& message)>;

    OpeningController(PersistentState& state, Welcome& welcome, const InputPanels& inputs, const ResultPanels& results,
                      MessageBar& messages, ScanController& scan, UndoController& undo, GeometryController& geometry,
                      ReconstructionController& reconstruction);

    ScanStart& start() { return m_start; } // of the next scan
    bool busy() const { return m_task.busy(); }
    void cancel() { m_task.cancel(); }
    void showWelcome(); // where no scan is open

    void open(const QString& path, bool asSinogram);
    void openFile(const QString& path, const engine::OpenOptions& options, const Refused& refused = {});
    void openSimulation(const engine::Simulation& simulation, const QString& label);
    void openNew(const WantedScan& wanted);
    // The scan that is open, read in another way: what is compared, drawn and looked at stays, and can be undone. then:
    // called when it is open.
    void reopen(const engine::OpenOptions& options, const Refused& refused = {},
                const std::function<void()>& then = {});
    void reopenWithArc(double degrees); // the angles evenly spread over it, end excluded
    void reopenWithQuantity(engine::Quantity quantity);
    void reopenToFit(const engine::Fit& fit, const std::function<void()>& then = {});
    void reopenWithout(const std::vector<engine::RowRange>& projections);

    // The data sets of an HDF5 file, in place of what is being opened.
    void listDataSets(const QString& path, const std::function<void(const engine::DataSetList&)>& take);
    void setNotice(const QString& text); // that the message bar shows when the scan under way is open

  signals:
    void opened();        // another scan
    void recentChanged(); // the list of scans
    // The message is not shown yet.
    void notOpened(const QString& path, const engine::OpenOptions& options, const QString& message);
    void ended(const QString& error); // without a scan; the error is shown. Empty: cancelled
    void dataSetsWanted(const QString& path, const engine::OpenOptions& options);

  private:
    void run(const WantedScan& wanted, const std::function<void(OpenedScan)>& take);
    void refuse(const WantedScan& wanted, std::optional<engine::ErrorKind> kind, const QString& message);
    void take(const QString& path, OpenedScan opened);
    void hintAtGuesses();

    PersistentState& m_state;
    Welcome& m_welcome;
    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    ScanController& m_scan;
    UndoController& m_undo;
    GeometryController& m_geometry;
    ReconstructionController& m_reconstruction;
    ScanStart m_start;
    QString m_notice;      // of the scan that is being opened
    BackgroundTask m_task; // last, so that it goes first: it cancels and waits
};

} // namespace ui
