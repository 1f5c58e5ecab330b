// SPDX-License-Identifier: GPL-3.0-or-later
// How a volume is divided so that its stages overlap within a limit of memory.
#pragma once

#include "engine/request/setting.h"

#include <vector>

namespace engine
{

// A whole volume in groups of slices.
struct VolumePlan {
    int slicesPerGroup = 1; // whole passes of the kernel
    bool overlapped = true; // the stages work at different groups at the same time
    int workers = 1;        // devices that share the groups; those of the request where the limit allows
    bool shortEnds = true;  // where they are: the first and the last groups are smaller
    double bytes = 0;       // that the process takes at most, estimated
    double limitBytes = 0;  // that it may take
    RowRange of = {0, 0};   // where a request is a part of a volume: that one's slices, whose groups are kept
};

// The same with its slices in pairs (Place::pairsOf), if the method supports pairs, and volume and memory limit permit.
Request inPairs(const Request& request);

int passOf(const Request& request); // slices of the least group: a pass of the kernel, whole pairs of them

// Sets the slice mode: the fastest (slicesPerPassFor) with passes that fit the memory limit and are a quarter of the
// volume at most (a 64th on a GPU), so that stages can overlap; from 16 slices a pass down they needn't.
void chooseSlicesPerPass(Request& request);

// The largest groups of request.place.slices that keep the process within request.resources.memoryLimitBytes and are
// enough of them to overlap; one group after the other where only that fits, or `overlap` is false. Throws
// Error(badRequest) when not even one pass of the kernel fits.
VolumePlan planVolume(const Request& request, bool overlap = true);

// What the process takes at most while it makes one pass of the request's slices, nothing beside it.
double bytesOfOnePass(const Request& request);

// Slices for each turn of the stages, passes of passOf(). The first turns are short ones, so that the later stages soon
// have something to do, and so are the last, so that the earlier ones don't wait for them for long.
std::vector<RowRange> groupsOf(RowRange slices, const VolumePlan& plan, int pass);

} // namespace engine
