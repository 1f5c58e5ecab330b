// SPDX-License-Identifier: GPL-3.0-or-later
// The way in: a request becomes a reconstruction.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "engine/stages/prepared_rows.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace engine
{

// Called from the thread that runs, often; fraction of the stage in [0, 1].
using Progress = std::function<void(Stage, double fraction)>;

// Reads, prepares, filters and back-projects. Keeps each stage's result under the part of the
// request that it depends on, so that another kernel doesn't read or filter again, and moving the
// slice doesn't look for the axis again. One thread at a time; memory: the rows of the last request
// as read, prepared, and filtered (once in float, once in double for `exact`).
class Reconstructor
{
  public:
    Reconstructor();
    ~Reconstructor();
    Reconstructor(Reconstructor&&) noexcept;
    Reconstructor& operator=(Reconstructor&&) noexcept;

    // Another one, for another thread: both share the axis cache.
    Reconstructor beside() const;

    // Lets go of all rows, and takes these for the next run instead of reading them. They are consumed: filtered
    // where they are, to save memory. Without rows it only lets go.
    void take(PreparedRows rows);

    // The same, for run to prepare, where that is done: on a GPU that takes them (preparesOnDevice), or by all cores.
    void take(RecordedRows rows);

    // Throws Error; after `cancelled` the stages that were completed are kept.
    Reconstruction run(const Request& request, const Progress& progress = {}, std::stop_token stop = {});

  private:
    struct Stages;
    std::unique_ptr<Stages> m_stages;
};

// Throws Error(badRequest) when the request makes no sense for its scan (slice out of range, axis
// outside the detector, region outside the slice, negative threads, no such method).
void validate(const Request& request);

} // namespace engine
