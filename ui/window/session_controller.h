// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions: what is compared, as a file, and what is left by a program that didn't end by itself.
#pragma once

#include "ui/window/autosave.h"
#include "ui/window/panels.h"

#include <QObject>
#include <QTimer>

class QWidget;

namespace ui
{

class MessageBar;
class OpeningController;
class PersistentState;
class ScanController;

// Everything that is handed over outlives this object.
class SessionController : public QObject
{
    Q_OBJECT
  public:
    SessionController(QWidget& window, PersistentState& state, const InputPanels& inputs, const ResultPanels& results,
                      MessageBar& messages, const ScanController& scan, OpeningController& opening);

    void keepIn(const QString& folder); // a copy of what is compared, for a start after a crash
    void keepSoon();                    // a little after the last change: dragging writes nothing
    void keepForNextStart();
    void offerWhatWasLeft(); // once

    void open(const QString& path);
    void save(const QString& path);

  signals:
    void recentChanged(); // the list of scans and sessions
    void saved(const QString& path);

  private:
    void openScanOf(const engine::Session& session, const QString& name);
    void askForScanOf(const engine::Session& session, const QString& name); // where it has gone

    QWidget& m_window;
    PersistentState& m_state;
    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    const ScanController& m_scan;
    OpeningController& m_opening;
    Autosave m_autosave;
    QTimer m_keeping; // until the copy is written again
    bool m_isLeftOffered = false;
};

} // namespace ui
