// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a machine's cores are a rank's, where several ranks may use the same.
#pragma once

#include <string>
#include <vector>

namespace engine
{

// Those that this process may use, as launchers and the system bind it: "0110…", a digit a core.
std::string allowedCores();

// Threads for a rank among those of its machine: its share of each core, one at least.
int threadsFor(const std::vector<std::string>& allowed, int rank);

} // namespace engine
