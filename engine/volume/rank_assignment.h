// SPDX-License-Identifier: GPL-3.0-or-later
// What of a volume is one rank's, of several that make it.
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
    Request request; // with the rank's slices, which may be none, and its projections
    VolumePlan plan; // of these; of the whole where there are none
};

// All ranks ask for it. whole: the plan of the request, with the rank's memory. madeOf: of volume_identity.h. Throws
// Error, and SharedError where a rank has another scan or makes it otherwise.
RankAssignment rankAssignmentOf(const Request& request, const VolumePlan& whole, const nlohmann::ordered_json& madeOf,
                                const VolumeOutput& output, Ensemble& ensemble);

// What it takes of each rank, before it is begun.
struct RankNeeds {
    std::string host;
    RowRange slices; // in pairs: from the first one on
    RowRange projections;
    double bytes = 0, limitBytes = 0; // of memory
    double seconds = 0;
};
struct RanksNeeds {
    RankGrid grid;
    std::vector<RankNeeds> ranks;
};

// All ranks ask for it; each measures a pass of its slices, all at the same time. Throws as rankAssignmentOf.
RanksNeeds needsOfRanks(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                        Ensemble& ensemble);

} // namespace engine
