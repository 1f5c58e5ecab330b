// SPDX-License-Identifier: GPL-3.0-or-later
// The controller of sessions: files with a comparison, and the autosaved one of a program that didn't end normally.
#pragma once

#include "engine/documents/session.h"

#include "ui/widgets/history.h"
#include "ui/window/autosave.h"
#include "ui/window/panels.h"

#include <QObject>
#include <QTimer>

class QWidget;

#include <optional>

namespace ui
{

class MessageBar;
class OpeningController;
class PersistentState;
class ScanController;

// Everything passed to the constructor outlives this object.
class SessionController : public QObject
{
    Q_OBJECT
  public:
    SessionController(QWidget& window, PersistentState& state, const InputPanels& inputs, const ResultPanels& results,
                      MessageBar& messages, const ScanController& scan, OpeningController& opening);

    void keepIn(const QString& folder); // autosaves the comparison in this folder, to restore it after a crash
    void keepSoon();                    // shortly after the last change, so not during a drag
    void keepForNextStart();
    void offerWhatWasLeft(); // only once

    void open(const QString& path);
    void save(const QString& path);
    std::optional<engine::Session> current() const; // nothing without a scan
    // way: to undo or redo an opening.
    void bringBack(const engine::Session& session, std::optional<HistoryWay> way = {});

  signals:
    void recentChanged(); // the list of recent scans and sessions
    void saved(const QString& path);

  private:
    using Then = std::function<void()>;

    // then: called when the scan is open.
    void openScanOf(const engine::Session& session, const QString& name, std::optional<HistoryWay> way = {},
                    const Then& then = {});
    // If the scan isn't found.
    void askForScanOf(const engine::Session& session, const QString& name, const Then& then);

    QWidget& m_window;
    PersistentState& m_state;
    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    const ScanController& m_scan;
    OpeningController& m_opening;
    Autosave m_autosave;
    QTimer m_keeping; // delays the next autosave
    bool m_isLeftOffered = false;
};

} // namespace ui
