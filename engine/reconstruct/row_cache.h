// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of scans that a Reconstructor has read, as recorded and as prepared.
#pragma once

#include "engine/base/lru_cache.h"
#include "engine/reconstruct/progress.h"
#include "engine/request/keys.h"
#include "engine/stages/prepared_rows.h"

#include <optional>
#include <stop_token>

namespace engine
{

constexpr double mostCachedBytes = 512 << 20; // per stage; the latest result always stays

// Prepared rows of several places, and recorded rows of one: either handed over with take(), or read for a GPU that
// prepares them. Functions that read or prepare report their progress and throw Error.
class RowCache
{
  public:
    void dropOthers(const Scan* scan); // drops the rows of other scans
    void clear();

    // Replaces all rows. Prepared ones are for one use: see areForOneUse().
    void take(PreparedRows rows);
    void take(RecordedRows rows);

    // Returns prepared rows that include these; null if there are none.
    PreparedRows* findPrepared(const PreparedKey& wanted);

    // Returns the recorded rows if they are these with their halo; else null.
    RecordedRows* findRecorded(const PreparedKey& wanted);

    bool isReadForGpu() const { return m_isReadForGpu; } // the recorded rows

    // Returns the rows of a slice for a GPU that prepares them, if rows that were read for a GPU include them with
    // their halo; else null.
    RecordedRows* findSlice(const PreparedKey& wanted, int threads);

    // Returns whether rows that were read for a GPU include these with their halo.
    bool hasRecorded(const PreparedKey& wanted) const;

    // Returns the request's rows, prepared. wereRead: set if they needn't be read. isReused: nor prepared.
    struct Found {
        PreparedRows& rows;
        bool wereRead = false, isReused = false;
    };
    Found prepared(const Request& request, const Progress& progress, const std::stop_token& stop);

    // The same. Rows that can't be read, or have no light, become lines that are not numbers, with a note
    // (readPatched).
    Found preparedWithGaps(const Request& request, const Progress& progress, const std::stop_token& stop);

    // Prepares rows that are not cached, from the recorded ones if these include them.
    PreparedRows preparedAlone(const Request& request, RowRange rows, const Progress& progress,
                               const std::stop_token& stop);

    // Reads the request's rows for a GPU that prepares them. They may still be arriving: call finishReading() when all
    // have been used, or settleReading() when the run has failed.
    RecordedRows& readRecorded(const Request& request, const Progress& progress, const std::stop_token& stop);

    void finishReading(); // waits until all recorded rows are there; drops them if they can't be read, and throws Error
    void settleReading() noexcept; // the same without an error

    // Whether the prepared rows were handed over, so that they may be consumed; then call clearPrepared().
    bool areForOneUse() const { return m_areForOneUse; }
    void clearPrepared() { m_prepared.clear(); }

  private:
    void dropRecorded();

    LruCache<PreparedKey, PreparedRows> m_prepared{mostCachedBytes}; // also serves requests for some of its rows
    bool m_areForOneUse = false;
    std::optional<RecordedRows> m_recorded;
    bool m_isReadForGpu = false;
    std::optional<RecordedRows> m_slice; // some of the recorded rows
};

} // namespace engine
