// The keys of a request's stages.
#pragma once

#include "engine/keys.h"

namespace engine
{

PreparedKey preparedKey(const Request& request);
AxisKey axisKey(const Request& request);
FilteredKey filteredKey(const Request& request, FilterPrecision precision);
ImageKey imageKey(const Request& request);

} // namespace engine
