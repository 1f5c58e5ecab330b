// SPDX-License-Identifier: GPL-3.0-or-later
// Figures computed in the background, one at a time. Of the requests made meanwhile, only the last is computed.
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
    // Runs in a background thread. The function that it returns is called in the thread of this object. Exceptions of
    // both are reported.
    using Work = std::function<std::function<void()>()>;

    explicit NewestWins(QObject* parent = nullptr);

    void ask(Work work);
    void forget(); // ignores the current result, and drops the next request
    bool busy() const { return m_running; }

  private:
    void start(Work work);

    std::optional<Work> m_next;
    bool m_running = false, m_wanted = false; // m_wanted: whether the result of the current work is used
    QThreadPool m_pool;                       // last member: waits for the current work
};

} // namespace ui
