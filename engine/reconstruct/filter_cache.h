// SPDX-License-Identifier: GPL-3.0-or-later
// Filtered rows, once per filter, axis and preparation.
#pragma once

#include "engine/base/lru_cache.h"
#include "engine/filter/filter.h"
#include "engine/prepare/virtual_detector.h"
#include "engine/reconstruct/progress.h"
#include "engine/reconstruct/reconstruction.h"
#include "engine/reconstruct/row_cache.h"

#include <stop_token>

namespace engine
{

// Returns some of the rows as the virtual detector sees them.
Sinograms seen(const VirtualDetector& detector, const PreparedRows& rows, const RowRange& wanted, int threads);

class FilterCache
{
  public:
    struct Rows {
        FilteredSinograms sinograms;
        double seconds = 0;
        int firstRow = 0; // of the sinograms
    };

    void clear() { m_cache.clear(); }
    void dropOthers(const Scan* scan) // drops the rows of other scans
    {
        m_cache.dropIf([scan](const FilteredKey& key) { return key.prepared.scan.get() != scan; });
    }

    // Returns the key's rows, or more rows for a plane. Consumes prepared rows that are for one use. time: of the
    // filter when it ran. Throws Error.
    const Rows& filter(const Request& request, const FilteredKey& key, bool isOfPlane, PreparedRows& prepared,
                       RowCache& rows, const VirtualDetector& detector, const RayWeights& weights,
                       const Progress& progress, const std::stop_token& stop, StageTime& time);

  private:
    LruCache<FilteredKey, Rows> m_cache{mostCachedBytes};
};

} // namespace engine
