// SPDX-License-Identifier: GPL-3.0-or-later
// What was guessed of a scan and would make a wrong image, with another way to open it.
#pragma once

#include "engine/io/open/open_scan.h"

#include <QString>

#include <optional>

namespace ui
{

struct GuessHint {
    QString text;                                    // empty: nothing of importance was guessed
    QString button;                                  // empty: there is no other way to offer
    std::optional<engine::OpenOptions> options = {}; // that the button opens the scan with
    bool asksForAngles = false;                      // the button asks for the angles instead
};

GuessHint guessHint(const engine::Scan& scan, const engine::OpenOptions& openedWith);

// Angles evenly spread over an arc, end excluded, in place of those that were given.
engine::OpenOptions withArc(engine::OpenOptions options, double degrees);

} // namespace ui
