// SPDX-License-Identifier: GPL-3.0-or-later
// A hint about an uncertain guess that would make the image wrong, with another way to open the scan.
#pragma once

#include "engine/io/open/open_scan.h"
#include "engine/scan/doubt.h"

#include <QString>

#include <optional>
#include <vector>

namespace ui
{

struct GuessHint {
    QString text;                                    // empty: no important guess
    QString button;                                  // empty: no alternative
    std::optional<engine::OpenOptions> options = {}; // for the button to open the scan with
    bool asksForAngles = false;                      // the button asks for the angles instead of opening the scan
    QString otherButton = {};                        // empty: no second alternative
    std::optional<engine::OpenOptions> otherOptions = {};
    // Of both buttons, in this order, if neither is likelier than the other: to be shown by pictures of a slice.
    std::vector<engine::AngleSpread> arcs = {};
};

GuessHint guessHint(const engine::Scan& scan, const engine::OpenOptions& openedWith);

// Returns the other way to open a scan that the doubt suggests, and its button; without options if there is none.
GuessHint correctionOf(const engine::Doubt& doubt, const engine::Scan& scan, const engine::OpenOptions& openedWith);

// Replaces the angles by an even spread over an arc that excludes its end.
engine::OpenOptions withArc(engine::OpenOptions options, double degrees);

} // namespace ui
