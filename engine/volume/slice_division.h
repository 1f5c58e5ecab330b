// SPDX-License-Identifier: GPL-3.0-or-later
// Division of a volume's slices among ranks.
#pragma once

#include "engine/volume/ensemble.h"
#include "engine/volume/volume_plan.h"

#include <vector>

namespace engine
{

// Divides the parts into one run per rank, in order, as evenly as whole parts allow. If there are fewer parts than
// ranks, the last ranks have none. Every part is in one run, and a run exceeds its even share by at most one part.
std::vector<RowRange> divide(const std::vector<RowRange>& parts, int ranks);

// Returns whether all slices of a group share one scale (half precision on processors), so that the bits of a slice
// depend on its group.
bool scalesGroups(const Request& request);

// Returns the smallest ranges of slices by which the volume can be divided without changing any bit: whole passes of
// the kernel from the first slice on, or whole groups of the plan if groups share a scale.
std::vector<RowRange> partsOf(const Request& request, const VolumePlan& plan);

// Returns the indices of one rank's GPUs among the GPUs (at least one) of its machine. Every GPU belongs to a rank;
// GPUs are shared only if there are fewer of them than ranks.
std::vector<std::size_t> gpusOf(const Neighbours& neighbours, std::size_t gpus);

// Sets this rank's share of the machine's threads, memory and GPUs where the user left the choice to the program. The
// rank gets one GPU, or its share of the GPUs if the user chose all of them (gpusOf). mayChoosePasses: also sets the
// slices per pass, as for a single process, but fewer if ranks would have nothing to do otherwise.
void takeShareOfMachine(Request& request, const Ensemble& ensemble, bool mayChoosePasses);

} // namespace engine
