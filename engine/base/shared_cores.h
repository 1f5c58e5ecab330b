// SPDX-License-Identifier: GPL-3.0-or-later
// A rank's share of a machine's cores if several ranks may use the same cores.
#pragma once

#include <string>
#include <vector>

namespace engine
{

// Returns the cores that this process may use, as bound by launchers and the system: "0110…", one digit per core.
std::string allowedCores();

// Open MPI by itself binds each of one or two ranks to one core, which suits programs of one thread. If it left this
// process less than its share of the launcher's cores, the process may use all of these again, and threads that it
// starts later. A binding that the user chose (--bind-to, OMPI_MCA_hwloc_base_binding_policy) stays.
void leaveDefaultBinding();

// Returns the number of threads for a rank: the sum of its shares of the cores that it may use, where a core that n
// ranks may use counts 1/n for each. The sum is rounded down, but at least 1. allowed: allowedCores() of the ranks on
// the machine.
int threadsFor(const std::vector<std::string>& allowed, int rank);

} // namespace engine
