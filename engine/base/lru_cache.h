// SPDX-License-Identifier: GPL-3.0-or-later
// Cache of results with a budget of bytes.
#pragma once

#include <cstddef>
#include <iterator>
#include <list>
#include <utility>

namespace engine
{

// Cache of the results of one stage, newest first. Beyond the budget the oldest results are dropped; one always
// stays.
template <typename Key, typename Value>
class LruCache
{
  public:
    explicit LruCache(double budgetBytes) : m_budgetBytes(budgetBytes) {}

    // Returns the newest result whose key fits, and makes it the newest of all; nullptr if there is none.
    template <typename Fits>
    Value* findIf(const Fits& fits)
    {
        for (auto entry = m_entries.begin(); entry != m_entries.end(); ++entry)
            if (fits(entry->key)) {
                m_entries.splice(m_entries.begin(), m_entries, entry);
                return &m_entries.front().value;
            }
        return nullptr;
    }
    Value* find(const Key& key)
    {
        return findIf([&](const Key& kept) { return kept == key; });
    }

    // Adds a result. The reference is valid until the next call of a function that changes the cache.
    Value& keep(Key key, Value value, double bytes)
    {
        m_entries.push_front({std::move(key), std::move(value), bytes});
        m_bytes += bytes;
        while (m_entries.size() > 1 && m_bytes > m_budgetBytes)
            drop(std::prev(m_entries.end()));
        return m_entries.front().value;
    }

    // Drops the oldest results until this many bytes fit into the budget; drops all if they never fit.
    void makeRoom(double bytes)
    {
        while (!m_entries.empty() && m_bytes + bytes > m_budgetBytes)
            drop(std::prev(m_entries.end()));
    }

    template <typename Goes>
    void dropIf(const Goes& goes) // goes: called with a key
    {
        for (auto entry = m_entries.begin(); entry != m_entries.end();)
            if (const auto here = entry++; goes(here->key))
                drop(here);
    }

    void clear()
    {
        m_entries.clear();
        m_bytes = 0;
    }
    double bytes() const { return m_bytes; }
    std::size_t size() const { return m_entries.size(); }

  private:
    struct Entry {
        Key key;
        Value value;
        double bytes;
    };

    void drop(typename std::list<Entry>::iterator entry)
    {
        m_bytes -= entry->bytes;
        m_entries.erase(entry);
    }

    std::list<Entry> m_entries;
    double m_budgetBytes;
    double m_bytes = 0;
};

} // namespace engine
