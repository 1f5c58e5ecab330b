// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a request's stages.
#pragma once

#include "engine/prepare/steps.h"
#include "engine/request/keys.h"

namespace engine
{

// Without what means nothing for the scan or beside the other choices.
PreparationSettings preparationSettingsOf(const Request& request);
Preparation preparationOf(const Request& request);
PreparedKey preparedKey(const Request& request);
AxisKey axisKey(const Request& request);
FilteredKey filteredKey(const Request& request, FilterPrecision precision);
ImageKey imageKey(const Request& request);

} // namespace engine
