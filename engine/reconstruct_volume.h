// A whole volume: its slices go through the stages in groups, one behind the other.
#pragma once

#include "engine/reconstruction.h"

#include <cstddef>
#include <functional>
#include <stop_token>

namespace engine
{

// A whole volume in groups of slices.
struct VolumePlan {
    int slicesPerGroup = 1; // whole passes of the kernel
    bool overlapped = true; // the stages work at different groups at the same time
    bool shortEnds = true;  // where they are: the first and the last groups are smaller
    double bytes = 0;       // that the process takes at most, estimated
    double limitBytes = 0;  // that it may take
};

// Sets the slice mode: the fastest (slicesPerPassFor) with passes that fit the memory limit and are a quarter of the
// volume at most (a 64th on a GPU), so that stages can overlap; from 16 slices a pass down they needn't.
void chooseSlicesPerPass(Request& request);

// The largest groups of request.place.slices that keep the process within request.resources.memoryLimitBytes and are
// enough of them to overlap; one group after the other where only that fits, or `overlap` is false. Throws
// Error(badRequest) when not even one pass of the kernel fits.
VolumePlan planVolume(const Request& request, bool overlap = true);

// Takes a finished group, in the order of the slices, in a thread of its own. Throws Error to end everything.
using WriteGroup = std::function<void(const Reconstruction& group, std::stop_token stop)>;

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
Reconstruction reconstructVolume(const Request& request, const VolumePlan& plan, const WriteGroup& write,
                                 const VolumeProgress& progress = {}, std::stop_token stop = {});

// The stage of a volume that the others waited for.
struct SlowestStage {
    const char* name = "";
    double seconds = 0;
    double perSecond = 0;   // bytes; GU/s × 10⁹ of the filter and back-projection
    const char* unit = "B"; // "B", "U"
};
SlowestStage slowestStage(const Reconstruction& made, std::size_t bytesPerValue); // of the images, as they are written

} // namespace engine
