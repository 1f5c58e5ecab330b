// What the window is made of, shared by the files that implement it: main_window.cpp (connections and
// results) and main_window_data_sets, _geometry, _opening, _report, _saving and _session.cpp. Nobody else
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
#include "ui/opening/growth_watch.h"
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
#include "ui/widgets/history.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"
#include "ui/window/autosave.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/reconstruction_controller.h"
#include "ui/window/slice_bar.h"
#include "ui/window/stack_controller.h"
#include "ui/window/window_layout.h"

#include <QDir>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace ui
{

class FoundDialog;

struct MainWindow::Impl : QObject {
    Impl(MainWindow* window, PersistentState& state, ThemeFollower* theme);

    MainWindow* window;
    PersistentState& state;
    ThemeFollower* theme;

    std::shared_ptr<const engine::Scan> scan;
    engine::OpenOptions openedWith;
    std::optional<engine::Simulation> simulation; // that the scan was made by
    QString sayOnceOpen;                          // of the scan that is being opened
    QString saveFolder = QDir::currentPath();     // where the last file went
    VolumeChoice volumeChoice;                    // how the last volume was stored
    StartOptions start;                           // applied to the first scan that opens
    struct Workbench {
        SettingList list;
        engine::Marks marks;
        std::shared_ptr<const engine::Scan> scan; // with its geometry
        engine::OpenOptions opened;
        int slice = 0;                        // where it was looked at
        std::optional<double> trialStep = {}; // between trial slices, where the act halved it
    };
    std::optional<double> trialStep; // while one of them is taken
    History<Workbench> history;
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
    FoundDialog* foundDialog = nullptr; // likewise

    // Last, so that they go first: they cancel and wait.
    ReconstructionController reconstruction{layout.inputs(), layout.results(), layout.messages(),
                                            [this] { return !window->busy() && !saving.busy() && !stack.busy(); }};
    const Comparison& shown = reconstruction.shown();
    StackController stack{*settings, *volume, *messages};
    BackgroundTask opening;
    BackgroundTask saving;
    BackgroundTask devices;
    GrowthWatch growth{[this] { return !window->busy(); }};
    VolumeQueue queue;

    void connectPanels();
    void connectReconstruction();
    void connectActions();
    void connectTasks();
    void findDevices();
    void showWelcome();
    void fitScreen();
    void restore();
    void save();
    void setScan(std::shared_ptr<const engine::Scan> opened);
    void retake(std::shared_ptr<const engine::Scan> changed, const engine::OpenOptions& opened);
    void change(std::shared_ptr<const engine::Scan> changed, const engine::OpenOptions& opened,
                const engine::Marks& changedMarks, int slice);
    Workbench workbench() const;
    void recordAct(Workbench before, bool continues);
    void step(std::optional<Workbench> next);
    void showSteps();
    engine::Session sessionNow() const;
    void takeSession(const engine::Session& session);
    void keepSoon();
    void offerWhatWasLeft();
    void offerQueue();
    void applyStart();
    void takeRequests(const StartOptions& options);
    void connectAxis();
    using Open = std::function<std::shared_ptr<const engine::Scan>(std::stop_token)>;
    using Take = std::function<void(std::shared_ptr<const engine::Scan>)>; // the scan when it is open
    using Refused = std::function<void(const QString&)>;                   // with what is said, instead of the message
    // allow: opens it with what lies outside its folder, where the user allows that.
    void openInBackground(const QString& name, Open open, const QString& path, const engine::OpenOptions& options,
                          const Take& take, const Refused& refused = {}, const std::function<void()>& allow = {});
    Take takeNew(const QString& path, const engine::OpenOptions& options,
                 const std::optional<engine::Simulation>& made = {});
    void takeGrown(std::shared_ptr<const engine::Scan> grown);
    void forgetPlace();
    void openFile(const QString& path, const engine::OpenOptions& options, const Refused& refused = {});
    // then: when it is open.
    void reopen(const engine::OpenOptions& options, const Refused& refused = {}, std::function<void()> then = {});
    void sayNotOpened(const QString& path, const engine::OpenOptions& options, const QString& message);
    void readAs(const QString& path, const engine::OpenOptions& options);
    void askForShape(const QString& path, const engine::OpenOptions& options);
    void listDataSets(const QString& path, const std::function<void(const engine::DataSetList&)>& take);
    void chooseDataSets(const QString& path, const engine::OpenOptions& options);
    void openAsKnown(const QString& path, const engine::OpenOptions& options, const QString& message);
    void openSession(const engine::Session& session, const QString& name);
    void askForScanOf(const engine::Session& session, const QString& name);
    // What the message bar says of a guess, and the way out that its button takes.
    struct Hint {
        QString text, button;
        std::function<void()> act;
    };
    void hintAtGuesses();
    Hint hintAtSides(const engine::SideFrames& sides);
    Hint hintAtValues();
    Hint hintAtAngles();
    Hint hintAtOfferedAngles(const engine::OfferedAngles& offered);
    QString assumedAngles() const;
    void showFound();
    void correct(const QString& option);
    void takeFit(const engine::Fit& fit, std::function<void()> then = {}); // one that reads the scan anew
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
