// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that a volume's values depend on. It is stored with the volume, and compared when a run resumes.
#pragma once

#include "engine/base/json_difference.h"
#include "engine/base/text.h"
#include "engine/io/open/open_scan.h"
#include "engine/request/setting.h"
#include "engine/volume/stored_values.h"
#include "engine/volume/volume_plan.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace engine
{

// Returns all that the values of a slice depend on, and how they are stored.
nlohmann::ordered_json originOf(const Request& request, const OpenOptions& opened, const OutputChoice& stored);

// Returns the origin together with how the slices are divided, since their groups have to be the same too: one line
// of JSON.
std::string identityOf(const nlohmann::ordered_json& origin, int ranks, int columns, const Place& place,
                       const VolumePlan& plan, const OutputFormat& format);

// Describes a difference between two identities: "filter was hann and is cosine".
Text identityDifference(const JsonDifference& difference);

} // namespace engine
