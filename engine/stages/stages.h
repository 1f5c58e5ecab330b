// SPDX-License-Identifier: GPL-3.0-or-later
// Cache keys of the stages of a request.
#pragma once

#include "engine/prepare/steps.h"
#include "engine/request/keys.h"

namespace engine
{

// Returns the settings with defaults for those that have no effect for the scan or with the other settings.
PreparationSettings preparationSettingsOf(const Request& request);
Preparation preparationOf(const Request& request);
PreparedKey preparedKey(const Request& request);
AxisKey axisKey(const Request& request);
FilteredKey filteredKey(const Request& request, FilterPrecision precision);
ImageKey imageKey(const Request& request);

} // namespace engine
