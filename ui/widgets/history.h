// SPDX-License-Identifier: GPL-3.0-or-later
// A history of states for undo and redo.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace ui
{

enum class HistoryWay { back, forward }; // undo, redo

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
    const State* next(HistoryWay way) const // the state that step() returns; null: none
    {
        const std::vector<State>& from = way == HistoryWay::back ? m_before : m_after;
        return from.empty() ? nullptr : &from.back();
    }
    // Returns the state to restore, or nothing if there is none.
    std::optional<State> step(HistoryWay way, State now)
    {
        std::vector<State>& from = way == HistoryWay::back ? m_before : m_after;
        std::vector<State>& to = way == HistoryWay::back ? m_after : m_before;
        if (from.empty())
            return std::nullopt;
        to.push_back(std::move(now));
        std::optional<State> next = std::move(from.back());
        from.pop_back();
        return next;
    }
    template <typename Change>
    void change(const Change& each) // all states
    {
        std::ranges::for_each(m_before, each);
        std::ranges::for_each(m_after, each);
    }
    void clear()
    {
        m_before.clear();
        m_after.clear();
    }

  private:
    std::vector<State> m_before, m_after;
};

} // namespace ui
