// SPDX-License-Identifier: GPL-3.0-or-later
// What the numbers of a volume depend on: stored with them, and compared where one is gone on with.
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

// All that the numbers of a slice depend on, and how they are stored.
nlohmann::ordered_json originOf(const Request& request, const OpenOptions& opened, const OutputChoice& stored);

// And how they are divided, so that each is made among the same others: a line of JSON.
std::string identityOf(const nlohmann::ordered_json& origin, int ranks, int columns, const Place& place,
                       const VolumePlan& plan, const OutputFormat& format);

// A difference between two of these, in words: "filter was hann and is cosine".
Text identityDifference(const JsonDifference& difference);

} // namespace engine
