// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the window and their connections. Only main_window.cpp and main_window_impl.cpp include this file.
#pragma once

#include "ui/window/found_controller.h"
#include "ui/window/geometry_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/opening_controller.h"
#include "ui/window/opening_remedies.h"
#include "ui/window/planes_controller.h"
#include "ui/window/queue_controller.h"
#include "ui/window/reconstruction_controller.h"
#include "ui/window/saving_controller.h"
#include "ui/window/scan_controller.h"
#include "ui/window/screen_state.h"
#include "ui/window/session_controller.h"
#include "ui/window/tour.h"
#include "ui/window/undo_controller.h"
#include "ui/window/window_layout.h"

#include <optional>

namespace ui
{

class Actions;
struct Dropped;

// Each part refers only to earlier members, which outlive it: tasks are cancelled and waited for before anything that
// they use is destroyed. To use a later member, a part emits a signal, or calls a callback that no destructor calls.
// The panels and the actions are children of the window and outlive all parts.
struct MainWindow::Impl : QObject {
    Impl(MainWindow& window, PersistentState& state, ThemeFollower* theme);

    MainWindow& window;
    PersistentState& state;
    WindowLayout layout;
    Actions& actions;
    ScreenState screens;
    ReconstructionController reconstruction;
    PlanesController planes;
    ScanController scan;
    UndoController undo;
    GeometryController geometry;
    OpeningController opening;
    OpeningRemedies remedies;
    FoundController found;
    SessionController session;
    SavingController saving;
    QueueController queue;
    Tour& tour;                           // a child of the window
    std::optional<engine::Session> aside; // what was open before the tour
    bool isTourOver = false;              // and `aside` is being opened again
    bool isEnding = false;                // from outside, as at log-out

    void settle(); // emits settled() unless a scan is being opened or reconstructed
    void connectActions();
    void connectSettings();
    void connectReconstruction();
    void connectOpening();
    void connectSaving();
    void connectTour();
    void open(const Dropped& dropped);
    void beginStand();
    void cancelComputing(); // not what is being saved
    void restore();
    void save();
};

} // namespace ui
