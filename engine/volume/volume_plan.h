// SPDX-License-Identifier: GPL-3.0-or-later
// Division of a volume into groups, so that its stages overlap within a memory limit.
#pragma once

#include "engine/request/setting.h"

#include <vector>

namespace engine
{

// Division of a volume into groups of slices.
struct VolumePlan {
    int slicesPerGroup = 1; // whole passes of the kernel
    bool overlapped = true; // the stages work on different groups simultaneously
    int workers = 1;        // devices that share the groups: those of the request, or fewer if the limit requires it
    bool shortEnds = true;  // if overlapped: the first and the last groups are smaller
    double bytes = 0;       // estimated peak memory of the process
    double limitBytes = 0;  // memory that the process may use
    RowRange of = {0, 0};   // if the request is a part of a volume: slices of the whole volume, whose groups are used
    int planeParts = 0;     // of a plane: Reconstructor makes it in so many parts; more than one if its rows don't fit
};

// Returns the request with its slices in mirrored pairs (Place::pairsOf), if the method supports pairs, and volume
// and memory limit permit.
Request inPairs(const Request& request);

int passOf(const Request& request); // slices of the smallest group: one pass of the kernel, in whole pairs

// Sets the slices per pass to the fastest mode (slicesPerPassFor) whose passes fit the memory limit and are at most a
// quarter of the volume (a 64th if a GPU prepares the rows), so that stages can overlap. Passes of up to 16 slices,
// and those of cone beams, may be a larger share.
void chooseSlicesPerPass(Request& request);

// Returns the largest groups of request.place.slices() that keep the process within request.resources.memoryLimitBytes
// and leave enough groups to overlap. Groups are processed one after the other if only that fits, or if `overlap` is
// false. Throws Error(noMemory) if not even one pass of the kernel fits; Error(badRequest) if the limit is below what
// the program itself needs. A plane that doesn't fit is divided (plannedPlane).
VolumePlan planVolume(const Request& request, bool overlap = true);

// Returns the process's peak memory while it reconstructs one pass of the request's slices and nothing else.
double bytesOfOnePass(const Request& request);

// Returns the slices of each group, in passes of `pass` slices (see passOf()). The first groups are small, so that
// the later stages start soon; the last ones are small, so that the earlier stages don't wait long for the later
// ones.
std::vector<RowRange> groupsOf(RowRange slices, const VolumePlan& plan, int pass);

} // namespace engine
