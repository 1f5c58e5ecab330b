// SPDX-License-Identifier: GPL-3.0-or-later
// One rank's share of a volume that several ranks reconstruct.
#pragma once

#include "engine/io/open/open_scan.h"
#include "engine/volume/ensemble.h"
#include "engine/volume/volume_output.h"
#include "engine/volume/volume_plan.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace engine
{

struct RankAssignment {
    RankGrid grid;
    Request request;                  // with the rank's slices, which may be none, and its projections
    VolumePlan plan;                  // of the rank's slices; of the whole volume if it has none
    Loading loading = Loading::bands; // bands also if a single row of ranks has nothing to exchange
    // copyOf() of each rank's scan (scan_copies.h); empty if all ranks read the same files.
    std::vector<std::string> copies = {};
};

// Divides the volume among the ranks; all ranks call it. whole: plan of the request, with this rank's memory. madeOf:
// originOf() in volume_identity.h. Throws Error, and SharedError if a rank has another scan or other settings.
RankAssignment rankAssignmentOf(const Request& request, const VolumePlan& whole, const nlohmann::ordered_json& madeOf,
                                const VolumeOutput& output, Ensemble& ensemble);

// What each rank needs, estimated before the run.
struct RankNeeds {
    std::string host;
    // The rank's first slice, and the number of its slices. Mirrored pairs: the first slice of the upper run, and the
    // number of slices in both runs.
    RowRange slices;
    RowRange projections;
    double bytes = 0, limitBytes = 0; // of memory
    double seconds = 0;
};
struct RanksNeeds {
    RankGrid grid;
    std::vector<RankNeeds> ranks;
};

// Returns what each rank needs. All ranks call it; they measure one pass of their slices simultaneously. Throws as
// rankAssignmentOf().
RanksNeeds needsOfRanks(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                        Ensemble& ensemble);

} // namespace engine
