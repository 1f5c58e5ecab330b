// SPDX-License-Identifier: GPL-3.0-or-later
// A whole volume: its slices go through the stages in groups, one behind the other.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "engine/volume/volume_plan.h"

#include <cstddef>
#include <functional>
#include <stop_token>

namespace engine
{

// Takes a finished group, in the order of the slices, or of mirrored pairs of them (runsOf says which it has), in a
// thread of its own; may change its image. Throws Error to end everything.
using WriteGroup = std::function<void(Reconstruction& group, std::stop_token stop)>;

// fraction of the volume, slices of the group that is being computed; called from any thread, one at a time.
using VolumeProgress = std::function<void(double fraction, const RowRange& group, Stage)>;

// Reconstructs request.place.slices, for which the plan was made. While a group is filtered and back-projected, the
// next is prepared (unless a GPU does that too), the one after it read, and the one before it written, each by a thread
// of its own: a stage waits for the next to take what it has made, so that memory stays within the plan. The images are
// the same, bit for bit, as one group after the other.
//
// What comes back has no image: its request is the whole one, its stages' seconds are sums over the groups (above
// the elapsed ones where stages overlapped), its notes those of all groups. The first error in any stage stops all
// and is thrown when they have ended; `cancelled` when stop asked for it.
//
// done: slices at the beginning that are there already, whole groups; figures are of the others.
Reconstruction reconstructVolume(const Request& request, const VolumePlan& plan, const WriteGroup& write,
                                 const VolumeProgress& progress = {}, std::stop_token stop = {}, int done = 0);

// The stage of a volume that the others waited for.
struct SlowestStage {
    const char* name = "";
    double seconds = 0;
    double perSecond = 0;   // bytes; GU/s × 10⁹ of the filter and back-projection
    const char* unit = "B"; // "B", "U"
    bool isWriting = false;
};
SlowestStage slowestStage(const Reconstruction& made, std::size_t bytesPerValue); // of the images, as they are written

} // namespace engine
