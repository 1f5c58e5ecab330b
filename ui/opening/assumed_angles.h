// SPDX-License-Identifier: GPL-3.0-or-later
// Text about the angles that are assumed for a scan without angles.
#pragma once

#include "engine/scan/scan.h"

#include <QString>

namespace ui
{

// "0 to 360° with both ends (the arc is 99 % certain, its end 98 %)"; empty if the scan has angles.
QString assumedAnglesText(const engine::Scan& scan);

} // namespace ui
