// SPDX-License-Identifier: GPL-3.0-or-later
// A backend of the tests: the processor, whose launches are counted. It shows that a backend is one line of the list.
#pragma once

#include "engine/backends/backend.h"

namespace fixtures
{

extern const engine::Backend countingBackend; // with two devices that can be used and one that can't

int countedLaunches(int device);

} // namespace fixtures
