// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of this machine: name of its processor, threads, memory.
#pragma once

#include <string>

namespace engine
{

std::string processorName();          // "AMD EPYC 9654", or "processor" if unknown
int processorThreads();               // hardware threads that this process may use, ≥ 1
std::string threadsText(int threads); // "1 thread", "8 threads"; 0 means all

// Returns the memory of the machine, or of the process's control group if that is less.
double machineMemoryBytes();

} // namespace engine
