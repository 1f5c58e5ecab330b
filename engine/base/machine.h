// SPDX-License-Identifier: GPL-3.0-or-later
// This machine: its processor, as a user would name it, and its memory.
#pragma once

#include <string>

namespace engine
{

std::string processorName();          // "AMD EPYC 9654", or "processor" where the system doesn't say
int processorThreads();               // hardware threads that this process may use, ≥ 1
std::string threadsText(int threads); // "1 thread", "8 threads"; 0 means all

// Of the whole machine, or of the control group that the process was put in where that is less.
double machineMemoryBytes();

} // namespace engine
