// SPDX-License-Identifier: GPL-3.0-or-later
// A queue of volumes that are reconstructed one after the other in the background.
#pragma once

#include "engine/documents/queued_volume.h"
#include "ui/background/background_task.h"
#include "ui/queue/queue_store.h"

#include <QElapsedTimer>
#include <QObject>
#include <QSet>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace ui
{

enum class QueueState { waiting, running, done, doubtful, failed, skipped, unreadable }; // doubtful: done, with doubts

inline bool isDone(QueueState state)
{
    return state == QueueState::done || state == QueueState::doubtful;
}

// A volume of the queue.
struct QueueItem {
    engine::QueuedVolume volume; // empty if the entry is unreadable
    QueueState state = QueueState::waiting;
    QString text = {};   // result, or reason of a failure
    double fraction = 0; // progress, if running
    double seconds = 0;  // duration
    QString id = {};     // in the store
    bool isStored = false;
    bool isInUse = false; // waiting, while another program writes its output
};

class VolumeQueue : public QObject
{
    Q_OBJECT
  public:
    using State = QueueState;
    using Item = QueueItem;

    explicit VolumeQueue(QObject* parent = nullptr);
    ~VolumeQueue() override; // stops the running volume; what can be continued later stays on disk

    const std::vector<Item>& items() const { return m_items; }
    int current() const; // index of the running volume, or −1
    bool isPaused() const { return m_isPaused; }
    int count(State state) const;
    int waiting() const { return count(State::waiting); }
    double secondsLeft() const; // for the running volume; negative: not known yet

    // Throws engine::Error if another waiting or running volume has the same output, or if the output exists and must
    // not be replaced.
    void add(engine::QueuedVolume volume);
    void remove(int place);           // does nothing for the running volume
    void move(int place, int places); // up or down
    // Inserts an item that was removed, in the state that it had. The place may lie beyond the end.
    void putBack(const Item& item, int place);
    void skip(int place);        // stops the volume if it is running
    void again(int place);       // makes a failed or skipped volume wait again
    void setPaused(bool paused); // stops the running volume, which later continues from what is on disk
    bool pausesAtDoubts() const { return m_pausesAtDoubts; }
    void setPausesAtDoubts(bool pauses); // after a doubtful volume; kept in the settings

    // Adds the volumes stored in the settings, and from now on stores all unfinished volumes there. The settings
    // outlive the queue.
    void keepIn(QSettings& settings);
    void refresh(); // takes over changes by other windows

  signals:
    void starting();   // of a volume, which needs memory
    void changed();    // items or states
    void progressed(); // the running volume
    void finished();   // no volume is waiting
    void pausedAtDoubt(const QString& scan);

  private:
    void announce(); // synchronises with the settings and emits changed()
    bool synchronise();
    bool takeOthers(const std::vector<QueueStore::Entry>& there);
    void storeOwn(const std::vector<QueueStore::Entry>& there);
    void runNext();
    void run(Item& item);
    void comeBack();
    void end(State state, const QString& text);

    std::vector<Item> m_items;
    std::optional<QueueStore> m_store;
    // Ids of volumes that were finished or removed, here or in other windows; they are not added again.
    QSet<QString> m_gone;
    std::unique_ptr<QLockFile> m_claim; // of the running volume's entry
    QTimer m_comeBack;                  // to volumes in use by other programs
    int m_current = -1;
    QSettings* m_settings = nullptr;
    bool m_pausesAtDoubts = false;
    bool m_isPaused = true, m_isSkipping = false, m_isFirst = true, m_isMoved = false;
    QElapsedTimer m_begun;
    double m_begunAt = 0;  // fraction that an earlier run had completed
    BackgroundTask m_task; // declared last: destroyed first, which waits
};

} // namespace ui
