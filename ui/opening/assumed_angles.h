// SPDX-License-Identifier: GPL-3.0-or-later
// The angles that are assumed of a scan that has none.
#pragma once

#include "engine/scan/scan.h"

#include <QString>

namespace ui
{

// "0 to 360° with both ends (the arc is 99 % certain, its end 98 %)"; empty where the scan has angles.
QString assumedAnglesText(const engine::Scan& scan);

} // namespace ui
