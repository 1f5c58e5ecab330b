// What each stage of a reconstruction depends on, its key, and what is kept of its results. A stage whose key is equal
// needn't be done again. Keys are made of whole parts of the request, so that a new field counts until it is left out
// here by name.
#pragma once

#include "engine/filter/filter.h"
#include "engine/setting.h"

#include <iterator>
#include <list>
#include <memory>
#include <utility>

namespace engine
{

// Rows of a scan, read and prepared.
struct PreparedKey {
    std::shared_ptr<const Scan> scan;
    RowRange rows;
    bool operator==(const PreparedKey&) const = default;

    // Whether `other` can be cut out of it.
    bool covers(const PreparedKey& other) const;
};

// The axis found from the data: one for all slices of a scan.
struct AxisKey {
    std::shared_ptr<const Scan> scan;
    bool operator==(const AxisKey&) const = default;
};

// Rows filtered by a processor.
struct FilteredKey {
    PreparedKey prepared;
    FilterSettings filter; // what means nothing for its window is the default's
    FilterPrecision precision = FilterPrecision::float32;
    bool operator==(const FilteredKey&) const = default;
};

// Rows filtered and stored by a GPU, as a kernel reads them.
struct StoredKey {
    FilteredKey filtered;
    Precision precision = Precision::single;
    int slicesPerPass = 0;
    int layout = 0; // of the method's kernel
    bool operator==(const StoredKey&) const = default;
};

// An image: the request without what no image depends on.
using ImageKey = Request;

PreparedKey preparedKey(const Request& request);
AxisKey axisKey(const Request& request);
FilteredKey filteredKey(const Request& request, FilterPrecision precision);
ImageKey imageKey(const Request& request);

// Results of one stage, the newest first. The oldest are let go beyond a budget; one always stays.
template <typename Key, typename Value>
class Kept
{
  public:
    explicit Kept(double budgetBytes) : m_budgetBytes(budgetBytes) {}

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
