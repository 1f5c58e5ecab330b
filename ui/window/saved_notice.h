// SPDX-License-Identifier: GPL-3.0-or-later
// The message after saving. It stays until it is closed or replaced.
#pragma once

#include "engine/volume/write_volume.h"

#include <QString>

#include <functional>

namespace ui
{

struct SavedNotice {
    QString text;        // follows "Saved FILE"
    bool warns = false;  // of a loss or a failure: no success alone
    QString action = {}; // text of a button
    std::function<void()> act = {};
};

// Describes how long a volume took, which stage limited the speed, values that the format couldn't represent, and
// failed devices.
SavedNotice noticeOf(const engine::WrittenVolume& written);

} // namespace ui
