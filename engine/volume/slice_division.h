// SPDX-License-Identifier: GPL-3.0-or-later
// How a volume's slices are divided among the ranks that make it.
#pragma once

#include "engine/volume/ensemble.h"
#include "engine/volume/volume_plan.h"

#include <vector>

namespace engine
{

// Runs of parts for so many ranks, in order, as even as whole parts allow; the last ranks have none where there are
// fewer parts. Every part is in one run, and a run is at most a part longer than its even share.
std::vector<RowRange> divide(const std::vector<RowRange>& parts, int ranks);

// Whether a group is scaled as one (halves on processors), so that its slices' bits depend on each other.
bool scalesGroups(const Request& request);

// Slices that can't be divided without other bits: whole passes of the kernel from the first slice on, or whole groups
// of the plan where these are scaled as one.
std::vector<RowRange> partsOf(const Request& request, const VolumePlan& plan);

// Which of a machine's GPUs, of which there is one or more, are those of one of its ranks: all are someone's, and only
// where there are fewer than ranks are they shared.
std::vector<std::size_t> gpusOf(const Neighbours& neighbours, std::size_t gpus);

// What of the machine is this rank's, where the user leaves it to the program: its share of the threads and of the
// memory, one of the GPUs in turn; of all GPUs, where the user names them, its share. mayChoosePasses: and the slices a
// pass, as one process alone would take them, but for ranks that would have nothing to do.
void takeShareOfMachine(Request& request, const Ensemble& ensemble, bool mayChoosePasses);

} // namespace engine
