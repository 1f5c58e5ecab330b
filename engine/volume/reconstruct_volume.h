// SPDX-License-Identifier: GPL-3.0-or-later
// Reconstruction of a whole volume: groups of slices pass through the stages as in a pipeline.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "engine/volume/volume_plan.h"

#include <cstddef>
#include <functional>
#include <stop_token>

namespace engine
{

// Receives a finished group, in a thread of its own. Groups come in the order of the slices, or of their mirrored
// pairs (runsOf() tells which slices a group has). May change the group's image. Throws Error to end the run.
using WriteGroup = std::function<void(Reconstruction& group, std::stop_token stop)>;

// fraction: of the volume. group: slices that are being computed. Called from any thread, one call at a time.
using VolumeProgress = std::function<void(double fraction, const RowRange& group, Stage)>;

// Reconstructs request.place.slices(), for which the plan was made. While a group is filtered and back-projected, the
// next group is prepared (unless a GPU prepares it too), the one after that is read, and the previous one is written,
// each by a thread of its own. A stage waits until the next stage has taken its result, so that memory stays within
// the plan. The images are bit-identical to those of groups that are processed one after the other.
//
// The result has no image. Its request is the whole one, the seconds of its stages are sums over the groups (more
// than the elapsed time where stages overlapped), its notes are those of all groups. The first error in any stage
// stops all stages and is thrown when they have ended; `cancelled` if stop was requested.
//
// done: number of slices at the beginning that exist already, in whole groups; the figures of the result do not
// include them.
Reconstruction reconstructVolume(const Request& request, const VolumePlan& plan, const WriteGroup& write,
                                 const VolumeProgress& progress = {}, std::stop_token stop = {}, int done = 0);

// The slowest stage of a volume, for which the others wait.
struct SlowestStage {
    const char* name = "";
    double seconds = 0;
    double perSecond = 0;   // bytes; for filter and back-projection GU/s × 10⁹
    const char* unit = "B"; // "B", "U"
    bool isWriting = false;
};
SlowestStage slowestStage(const Reconstruction& made, std::size_t bytesPerValue); // bytesPerValue: as written

} // namespace engine
