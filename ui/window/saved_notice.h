// SPDX-License-Identifier: GPL-3.0-or-later
// What the message bar shows once something is saved.
#pragma once

#include "engine/volume/write_volume.h"

#include <QString>

#include <functional>

namespace ui
{

struct SavedNotice {
    QString text;        // after "Saved FILE"
    bool stays = false;  // until the user has seen it
    QString action = {}; // of a button, with which it stays too
    std::function<void()> act = {};
};

// How long a volume took, what was the limit, and what was lost.
SavedNotice noticeOf(const engine::WrittenVolume& written);

} // namespace ui
