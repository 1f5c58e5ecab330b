// Volumes that are made one after the other in the background.
#pragma once

#include "engine/queued_volume.h"
#include "ui/opening/background_task.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace ui
{

class VolumeQueue : public QObject
{
    Q_OBJECT
  public:
    enum class State { waiting, running, done, failed, skipped };
    struct Item {
        engine::QueuedVolume volume;
        State state = State::waiting;
        QString text = {};   // what came of it, or why not
        double fraction = 0; // of the running one
        double seconds = 0;  // that it took
    };

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

    QString kept() const; // what has yet to be made, as text
    void restore(const QString& text);

  signals:
    void changed();    // items, states
    void progressed(); // of the running one
    void finished();   // none is left that waits

  private:
    void runNext();
    void end(State state, const QString& text);

    std::vector<Item> m_items;
    int m_current = -1;
    bool m_isPaused = true, m_isSkipping = false, m_isFirst = true;
    QElapsedTimer m_begun;
    double m_begunAt = 0;  // fraction that was kept already
    BackgroundTask m_task; // last: goes first, and waits
};

} // namespace ui
