// SPDX-License-Identifier: GPL-3.0-or-later
// A history of states for undo and redo.
#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace ui
{

template <typename State>
class History
{
  public:
    // Records the state before an action of the user. continues: part of the last action, such as a drag; undone
    // together with it.
    void record(State before, bool continues = false)
    {
        constexpr std::size_t most = 200;
        m_after.clear();
        if (continues && !m_before.empty())
            return;
        m_before.push_back(std::move(before));
        if (m_before.size() > most)
            m_before.erase(m_before.begin());
    }
    // Returns the state to restore, or nothing if there is none.
    std::optional<State> back(State now) { return step(m_before, m_after, std::move(now)); }
    std::optional<State> forward(State now) { return step(m_after, m_before, std::move(now)); }
    bool canGoBack() const { return !m_before.empty(); }
    bool canGoForward() const { return !m_after.empty(); }
    void clear()
    {
        m_before.clear();
        m_after.clear();
    }

  private:
    static std::optional<State> step(std::vector<State>& from, std::vector<State>& to, State now)
    {
        if (from.empty())
            return std::nullopt;
        to.push_back(std::move(now));
        std::optional<State> next = std::move(from.back());
        from.pop_back();
        return next;
    }

    std::vector<State> m_before, m_after;
};

} // namespace ui
