// SPDX-License-Identifier: GPL-3.0-or-later
// Opens scans in the background: files, simulations, sessions, and the open scan again with other options.
#pragma once

#include "engine/base/error.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "ui/background/background_task.h"
#include "ui/widgets/history.h"
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

// A scan to open.
struct WantedScan {
    QString name;
    QString path; // empty: not from a file
    engine::OpenOptions options;
    std::function<OpenedScan(std::stop_token)> open; // called in the background
    // Receives the error message, which is then not shown in the message bar.
    std::function<void(const QString&)> refused = {};
    // Opens the scan if the user allows files outside its folder.
    std::function<void()> allow = {};
    std::optional<HistoryWay> way = {}; // opens it to undo or redo an opening
    std::function<void()> then = {};    // called when the scan is open
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

    ScanStart& start() { return m_start; } // for the next scan
    bool busy() const { return m_task.busy(); }
    void cancel() { m_task.cancel(); }
    void showWelcome();   // if no scan is open
    void switchWelcome(); // shows it over the open scan, or the scan again
    void uncover();       // shows the open scan again

    void open(const QString& path, bool asSinogram);
    void openFile(const QString& path, const engine::OpenOptions& options, const Refused& refused = {});
    void openRecent(const QString& path); // as it was opened last
    void rememberWay();                   // how the scan is open, for openRecent()
    void openSimulation(const engine::Simulation& simulation, const QString& label);
    void openNew(const WantedScan& wanted);
    // Opens the scan again with other options. The comparison, the marks and the position stay; can be undone. then:
    // called when the scan is open.
    void reopen(const engine::OpenOptions& options, const Refused& refused = {},
                const std::function<void()>& then = {});
    void reopenWithArc(double degrees); // angles evenly spread over an arc that excludes its end
    void reopenWithQuantity(engine::Quantity quantity);
    void reopenToFit(const engine::Fit& fit, const std::function<void()>& then = {});
    void setSliceSize(int pixels); // of the open scan; the pixel size stays
    void reopenWithout(const std::vector<engine::RowRange>& projections);

    // Lists the data sets of an HDF5 file. Cancels an opening in progress. refused: as of openFile().
    void listDataSets(const QString& path, const std::function<void(const engine::DataSetList&)>& take,
                      const Refused& refused = {});
    void setNotice(const QString& text); // shown in the message bar when the current opening has succeeded

  signals:
    void opened();        // another scan
    void recentChanged(); // the list of recent scans
    // Emitted before a message is shown.
    void notOpened(const QString& path, const engine::OpenOptions& options, const QString& message);
    void ended(const QString& error); // no scan was opened; the error is already shown. Empty: cancelled
    void dataSetsWanted(const QString& path, const engine::OpenOptions& options);

  private:
    void run(const WantedScan& wanted, const std::function<void(OpenedScan)>& take);
    void refuse(const WantedScan& wanted, std::optional<engine::ErrorKind> kind, const QString& message);
    void take(const WantedScan& wanted, OpenedScan opened);
    void hintAtGuesses();
    void showArcs(const std::vector<engine::AngleSpread>& arcs);

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
    QString m_notice;          // for the scan that is being opened
    BackgroundTask m_pictures; // of arcs to choose from
    BackgroundTask m_task;     // declared last: destroyed first, which cancels and waits
};

} // namespace ui
