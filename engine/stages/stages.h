// SPDX-License-Identifier: GPL-3.0-or-later
// Cache keys of the stages of a request.
#pragma once

#include "engine/prepare/steps.h"
#include "engine/request/keys.h"

#include <optional>
#include <string>

namespace engine
{

// Returns the settings with defaults for those that have no effect for the scan or with the other settings.
PreparationSettings preparationSettingsOf(const Request& request);
Preparation preparationOf(const Request& request);
PreparedKey preparedKey(const Request& request);
AxisKey axisKey(const Request& request);
// Return the rows and the halo that their preparation needs.
RowRange rowsToRead(const Request& request, const RowRange& rows);
RowRange rowsToRead(const PreparedKey& wanted);
FilteredKey filteredKey(const Request& request, FilterPrecision precision);
ImageKey imageKey(const Request& request);

// Returns why the projections can't be divided into parts that are prepared separately; empty: they can.
std::string whyNotInParts(const Request& request);

// Returns the number of bins of the virtual detector that is filtered, as far as known before the axis is found;
// nothing if the recorded bins are filtered.
std::optional<int> virtualBinsOf(const Request& request);

} // namespace engine
