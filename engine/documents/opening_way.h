// SPDX-License-Identifier: GPL-3.0-or-later
// How a scan was opened, as stored with the list of recent scans, to open it that way again.
#pragma once

#include "engine/io/frames/open_options.h"

#include <optional>
#include <string>

namespace engine
{

struct OpeningWay {
    OpenOptions opened;
    std::optional<double> axisBins = {}; // set by the user; nothing: left to the program
    double axisTiltDeg = 0;
    bool operator==(const OpeningWay&) const = default;
};

std::string openingWayJson(const OpeningWay& way);      // on one line
OpeningWay openingWayFromJson(const std::string& text); // throws Error(badRequest)

// Returns "projections /entry/data, angles 0:180, axis 1023.5 bins": what the user has chosen; "" if nothing.
std::string inWords(const OpeningWay& way);

} // namespace engine
