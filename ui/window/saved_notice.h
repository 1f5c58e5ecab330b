// SPDX-License-Identifier: GPL-3.0-or-later
// The message after saving.
#pragma once

#include "engine/volume/write_volume.h"

#include <QString>

#include <functional>

namespace ui
{

struct SavedNotice {
    QString text;        // follows "Saved FILE"
    bool stays = false;  // until the user closes it
    QString action = {}; // text of a button; the message then stays, too
    std::function<void()> act = {};
};

// Describes how long a volume took, which stage limited the speed, values that the format couldn't represent, and
// failed devices.
SavedNotice noticeOf(const engine::WrittenVolume& written);

} // namespace ui
