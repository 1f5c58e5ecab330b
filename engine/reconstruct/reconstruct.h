// SPDX-License-Identifier: GPL-3.0-or-later
// Class Reconstructor: turns a request into a reconstruction.
#pragma once

#include "engine/reconstruct/progress.h"
#include "engine/reconstruct/reconstruction.h"
#include "engine/stages/prepared_rows.h"

#include <memory>
#include <stop_token>

namespace engine
{

// Reads, prepares, filters and back-projects. Caches each stage's result under the part of the request that it
// depends on: a change of the kernel doesn't read or filter again, and another slice doesn't search the axis again.
// Use by one thread at a time. Memory: the recorded rows while they are prepared, and up to 512 MiB each of prepared
// and of filtered rows (float, and double for `exact`); the latest result stays even if it is larger. For planes that a
// GPU prepares and filters, the recorded rows stay instead. A plane that exceeds Resources::memoryLimitBytes is
// reconstructed in parts, after which no rows stay.
class Reconstructor
{
  public:
    Reconstructor();
    ~Reconstructor();
    Reconstructor(Reconstructor&&) noexcept;
    Reconstructor& operator=(Reconstructor&&) noexcept;

    // Returns another reconstructor for another thread; both share the axis cache.
    Reconstructor beside() const;

    // Drops all cached rows, and uses these in the next run instead of reading. They are consumed: filtered in place,
    // to save memory. Empty rows: only drops.
    void take(PreparedRows rows);

    // As above, with recorded rows, which run() prepares: on a GPU that can (Route::mayPrepareOnDevice), else on all
    // cores.
    void take(RecordedRows rows);

    // Drops filtered rows, also those that a device holds: the next run uploads and filters again.
    void dropFiltered();

    // Throws Error; after `cancelled` the results of completed stages stay cached.
    Reconstruction run(const Request& request, const Progress& progress = {}, std::stop_token stop = {});

  private:
    struct Stages;
    std::unique_ptr<Stages> m_stages;
};

} // namespace engine
