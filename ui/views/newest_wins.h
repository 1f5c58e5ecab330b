// SPDX-License-Identifier: GPL-3.0-or-later
// Figures worked out beside the window: one piece of work at a time, and of what is asked for meanwhile the last.
#pragma once

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <optional>

namespace ui
{

class NewestWins : public QObject
{
    Q_OBJECT
  public:
    // Runs in a thread of its own; what it returns is called in the thread of this object. What either throws is told.
    using Work = std::function<std::function<void()>()>;

    explicit NewestWins(QObject* parent = nullptr);

    void ask(Work work);
    void forget(); // what is under way says nothing any more
    bool busy() const { return m_running; }

  private:
    void start(Work work);

    std::optional<Work> m_next;
    bool m_running = false, m_wanted = false; // wanted: what is running
    QThreadPool m_pool;                       // last: it waits for what runs
};

} // namespace ui
