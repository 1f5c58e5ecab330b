// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes that are made one after the other in the background.
#pragma once

#include "engine/documents/queued_volume.h"
#include "ui/background/background_task.h"
#include "ui/queue/queue_store.h"

#include <QElapsedTimer>
#include <QObject>
#include <QSet>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace ui
{

enum class QueueState { waiting, running, done, failed, skipped, unreadable };

// One of the volumes.
struct QueueItem {
    engine::QueuedVolume volume; // nothing in it of one that is unreadable
    QueueState state = QueueState::waiting;
    QString text = {};   // what came of it, or why not
    double fraction = 0; // of the running one
    double seconds = 0;  // that it took
    QString id = {};     // in the store
    bool isStored = false;
};

class VolumeQueue : public QObject
{
    Q_OBJECT
  public:
    using State = QueueState;
    using Item = QueueItem;

    explicit VolumeQueue(QObject* parent = nullptr);
    ~VolumeQueue() override; // stops what runs; what can be is kept

    const std::vector<Item>& items() const { return m_items; }
    int current() const; // the place of the one that runs, or −1
    bool isPaused() const { return m_isPaused; }
    int count(State state) const;
    int waiting() const { return count(State::waiting); }
    double secondsLeft() const; // of the one that runs; below 0: not known yet

    // Refuses two of one output, and one that is there and isn't to be replaced: throws engine::Error.
    void add(engine::QueuedVolume volume);
    void remove(int place);           // not of the one that runs
    void move(int place, int places); // up or down; not of the one that runs
    void skip(int place);             // the one that runs is stopped
    void again(int place);            // of one that failed or was skipped: waits again
    void setPaused(bool paused);      // what runs is stopped, and goes on from what was kept

    // Takes what the settings hold, and keeps there what has yet to be made, from now on. They outlive the queue.
    void keepIn(QSettings& settings);
    void refresh(); // takes what other windows have added or removed

  signals:
    void changed();    // items, states
    void progressed(); // of the running one
    void finished();   // none is left that waits

  private:
    void announce(); // what was changed here
    bool synchronise();
    bool takeOthers(const std::vector<QueueStore::Entry>& there);
    void storeOwn(const std::vector<QueueStore::Entry>& there);
    void runNext();
    void end(State state, const QString& text);

    std::vector<Item> m_items;
    std::optional<QueueStore> m_store;
    QSet<QString> m_gone; // ids that were done or removed, here or elsewhere: they don't come back
    int m_current = -1;
    bool m_isPaused = true, m_isSkipping = false, m_isFirst = true, m_isMoved = false;
    QElapsedTimer m_begun;
    double m_begunAt = 0;  // fraction that was kept already
    BackgroundTask m_task; // last: goes first, and waits
};

} // namespace ui
