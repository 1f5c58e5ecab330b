// SPDX-License-Identifier: GPL-3.0-or-later
// Results that are kept for the next request, within a budget of bytes.
#pragma once

#include <cstddef>
#include <iterator>
#include <list>
#include <utility>

namespace engine
{

// Results of one stage, the newest first. The oldest are let go beyond a budget; one always stays.
template <typename Key, typename Value>
class LruCache
{
  public:
    explicit LruCache(double budgetBytes) : m_budgetBytes(budgetBytes) {}

    // The newest whose key fits; nullptr. It becomes the newest.
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

    // The reference holds until the next call of keep or clear.
    Value& keep(Key key, Value value, double bytes)
    {
        m_entries.push_front({std::move(key), std::move(value), bytes});
        m_bytes += bytes;
        while (m_entries.size() > 1 && m_bytes > m_budgetBytes)
            drop(std::prev(m_entries.end()));
        return m_entries.front().value;
    }

    // Lets go of the oldest until so much fits beside what is left, and of all when it never does.
    void makeRoom(double bytes)
    {
        while (!m_entries.empty() && m_bytes + bytes > m_budgetBytes)
            drop(std::prev(m_entries.end()));
    }

    template <typename Goes>
    void dropIf(const Goes& goes) // of a key
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
