// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files for what is made of a scan.
#pragma once

#include "engine/scan/scan.h"

#include <QString>

namespace ui
{

// "<scan>", as files can be called
QString nameOf(const engine::Scan& scan);

// "<scan>_slice_00012"
QString defaultName(const engine::Scan& scan, int slice);

} // namespace ui
