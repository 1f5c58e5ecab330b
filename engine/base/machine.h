// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of this machine: name and clock of its processor, threads, memory, the cache folder.
#pragma once

#include <filesystem>
#include <string>

namespace engine
{

std::string processorName();          // "AMD EPYC 9654", or "processor" if unknown
int processorThreads();               // hardware threads that this process may use, ≥ 1
int threadsOf(int asked);             // as many as asked for; 0 means all
std::string threadsText(int threads); // "1 thread", "8 threads"; 0 means all

// Returns the mean clock of the hardware threads at this moment, in MHz; 0 if the system doesn't tell.
double processorClockMhz();

// Returns the memory of the machine, or of the process's control group if that is less.
double machineMemoryBytes();

// Returns the folder of files that programs keep from run to run, and can do without: sinoscope in XDG_CACHE_HOME or
// ~/.cache; empty if neither is set.
std::filesystem::path cacheFolder();

} // namespace engine
