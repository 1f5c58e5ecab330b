// SPDX-License-Identifier: GPL-3.0-or-later
// Requests, and the options for opening a scan, as JSON values: shared by reports and sessions.
#pragma once

#include "engine/base/json_text.h"
#include "engine/io/frames/open_options.h"
#include "engine/request/setting.h"

namespace engine
{

// Adds each option of the table at its path. ofSetting: the options that change an image, else the others.
void addOptions(Json& json, const Request& request, bool ofSetting);
// Sets the options that the JSON has; others stay. Throws Error(badRequest) that names the option and its value.
void takeOptions(const Json& json, Request& request);
// As takeOptions(), for options that change an image; removes them from the object.
void takeSettingOut(Json& json, Request& request);

Json coneOf(const ConeBeam& beam);      // lengths and angles with their units, and the volume
Json anglesOf(const Scan& scan);        // number, first and last angle; null: none
Json valuesOf(const Scan& scan);        // the quantity of the numbers, and how it is known
Json requestOf(const Request& request); // with its scan and place
Json openOptionsOf(const OpenOptions& options);
OpenOptions openOptionsFrom(const Json& json); // throws Error(badRequest)

} // namespace engine
