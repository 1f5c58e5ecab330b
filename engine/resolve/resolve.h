// SPDX-License-Identifier: GPL-3.0-or-later
// From a request to its plan.
#pragma once

#include "engine/plan/plan.h"

namespace engine
{

// Returns the plan of a valid request (validate) that is ready to be launched. Throws Error(badRequest) for an
// impossible request, Error(device) for a missing GPU. Devices and measured speeds are looked up once per process.
Plan resolve(const Request& request);

// As above, with another method than the one that the request names or that is chosen for it: of a reference, or of the
// processor that takes over.
Plan resolve(const Request& request, const Method& method);

} // namespace engine
