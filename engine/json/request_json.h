// SPDX-License-Identifier: GPL-3.0-or-later
// Requests and the ways to open a scan as JSON values: what reports and sessions share.
#pragma once

#include "engine/base/json_text.h"
#include "engine/io/frames/open_options.h"
#include "engine/request/setting.h"

namespace engine
{

// Each option of the table in its place: those that make an image look different, or the others.
void addOptions(Json& json, const Request& request, bool ofSetting);
// What isn't there stays as it is. Throws Error(badRequest) that names the option and its value.
void takeOptions(const Json& json, Request& request);
// Likewise, of those that make an image look different; takes them out of the object and leaves what else is in it.
void takeSettingOut(Json& json, Request& request);

Json coneOf(const ConeBeam& beam);      // lengths and angles with their units, and the volume
Json anglesOf(const Scan& scan);        // how many, the first and the last; null: none
Json valuesOf(const Scan& scan);        // what the numbers are, and how that is known
Json requestOf(const Request& request); // with its scan and place
Json openOptionsOf(const OpenOptions& options);
OpenOptions openOptionsFrom(const Json& json); // throws Error(badRequest)

} // namespace engine
