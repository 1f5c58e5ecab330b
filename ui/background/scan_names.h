// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files that are created from a scan.
#pragma once

#include "engine/scan/scan.h"

#include <QString>

namespace ui
{

QString forFileName(const QString& text); // with _ in place of all but letters, digits and + - .

// Returns "<scan>", with characters that suit file names.
QString nameOf(const engine::Scan& scan);

// Returns "<scan>_slice_00012".
QString defaultName(const engine::Scan& scan, int slice);

} // namespace ui
