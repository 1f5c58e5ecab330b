// What the window is made of, shared by the files that implement it: main_window.cpp (connections)
// and main_window_queue, _report, _saving and _session.cpp. Nobody else
// includes it.
#pragma once

#include "engine/io/files/protected_inputs.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "engine/io/open/open_scan.h"
#include "engine/scan/phantom.h"
#include "ui/axis/axis_panel.h"
#include "ui/axis/trial_strip.h"
#include "ui/background/background_task.h"
#include "ui/image/image_panel.h"
#include "ui/numbers/number_tabs.h"
#include "ui/opening/reading_panel.h"
#include "ui/opening/scan_bar.h"
#include "ui/opening/welcome.h"
#include "ui/profile/profile_panel.h"
#include "ui/queue/queue_dialog.h"
#include "ui/recorded/recorded_panel.h"
#include "ui/saving/save_volume_dialog.h"
#include "ui/settings/settings_panel.h"
#include "ui/speed/speed_panel.h"
#include "ui/volume/volume_panel.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"
#include "ui/window/autosave.h"
#include "ui/window/found_controller.h"
#include "ui/window/geometry_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/opening_controller.h"
#include "ui/window/opening_remedies.h"
#include "ui/window/reconstruction_controller.h"
#include "ui/window/scan_controller.h"
#include "ui/window/session_panels.h"
#include "ui/window/slice_bar.h"
#include "ui/window/stack_controller.h"
#include "ui/window/undo_controller.h"
#include "ui/window/window_layout.h"

#include <QDir>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace ui
{

struct MainWindow::Impl : QObject {
    Impl(MainWindow* window, PersistentState& state, ThemeFollower* theme);

    MainWindow* window;
    PersistentState& state;
    ThemeFollower* theme;

    QString saveFolder = QDir::currentPath(); // where the last file went
    VolumeChoice volumeChoice;                // how the last volume was stored
    Autosave autosave;
    QTimer keeping; // until the session is kept again
    bool leftOffered = false, queueOffered = false;

    WindowLayout layout{*window};
    ScanBar* scanBar = layout.inputs().scanBar;
    ReadingPanel* reading = layout.inputs().reading;
    SettingsPanel* settings = layout.inputs().settings;
    AxisPanel* axis = layout.inputs().axis;
    TrialStrip* trials = layout.inputs().trials;
    ImagePanel* images = layout.results().images;
    RecordedPanel* recorded = layout.results().recorded;
    SliceBar* sliceBar = layout.results().sliceBar;
    ProfilePanel* profile = layout.results().profile;
    NumberTabs* numbers = layout.results().numbers;
    VolumePanel* volume = layout.results().volume;
    SpeedPanel* speed = layout.results().speed;
    Welcome* welcome = &layout.welcome();
    MessageBar* messages = &layout.messages();
    Actions* actions = new Actions(*window, *images, state, theme);
    QueueDialog* queueDialog = nullptr; // made when it is first wanted

    // Last, so that they go first: they cancel and wait.
    ReconstructionController reconstruction{layout.inputs(), layout.results(), layout.messages(),
                                            [this] { return !window->busy() && !saving.busy() && !stack.busy(); }};
    const Comparison& shown = reconstruction.shown();
    StackController stack{*settings, *volume, *messages};
    ScanController scans{layout.inputs(), layout.results(), *messages, reconstruction,
                         [this] { return !window->busy(); }};
    const std::shared_ptr<const engine::Scan>& scan = scans.scan();
    const engine::OpenOptions& openedWith = scans.opened().openedWith;
    const std::optional<engine::Simulation>& simulation = scans.opened().simulation;
    UndoController undo{layout.inputs(), layout.results(), scans, reconstruction};
    GeometryController geometry{layout.inputs(), layout.results(), scans, undo, reconstruction};
    OpeningController opening{state, *welcome, layout.inputs(), layout.results(), *messages,
                              scans, undo,     geometry,        reconstruction};
    OpeningRemedies remedies{*window, state, *welcome, *reading, *messages, scans, opening};
    FoundController found{*window, layout, scans, remedies, [this] { return window->busy(); }};
    BackgroundTask saving;
    BackgroundTask devices;
    VolumeQueue queue;

    void connectReconstruction();
    void connectActions();
    void connectTasks();
    void findDevices();
    void settle(); // emits settled() where nothing is under way
    void fitScreen();
    void restore();
    void save();
    engine::Session sessionNow() const;
    void keepSoon();
    void offerWhatWasLeft();
    void offerQueue();
    void openSession(const engine::Session& session, const QString& name);
    void askForScanOf(const engine::Session& session, const QString& name);
    engine::ProtectedInputs inputs() const;
    void askAndSave(Save what);
    void askAndSaveVolume();
    void saveVolume(const engine::VolumeOutput& output, const engine::Place& place);
    struct Said {
        QString text;
        bool stays = false;  // until the user has seen it
        QString action = {}; // of a button, with which it stays too
        std::function<void()> act = {};
    };
    void saveInBackground(const QString& path, const QString& what, BackgroundTask::Work work,
                          std::function<Said()> said = {});
    engine::Recipe recipeNow(std::vector<std::string>& leftOut) const;
    engine::QueuedVolume queuedAs(const QString& path) const;
    void enqueue(const engine::VolumeOutput& output);
    void connectQueue();
    void copyCommandLine();
};

} // namespace ui
