// SPDX-License-Identifier: GPL-3.0-or-later
// The helper program sinoscope-check, in which the libraries for HDF5 and MATLAB files read untrusted files.
#pragma once

#include "engine/base/text.h"

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace engine
{

inline constexpr const char* helperName = "sinoscope-check";
inline constexpr int exitNoMemory = 3; // exit status of a helper whose memory limit was reached

// Finds the helper: beside this program, or where it is installed. Throws Error(badFile) if there is none: the file
// can't be read then.
std::filesystem::path helperFor(const std::filesystem::path& file);

// A running helper process; the destructor kills it. `socket` becomes its standard input; it gets no other
// descriptors. Throws Error(badFile) that names the file, or noMemory.
class HelperProcess
{
  public:
    HelperProcess(const std::filesystem::path& program, std::vector<std::string> arguments,
                  const std::filesystem::path& file, int socket);
    ~HelperProcess();
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    bool isOurs() const; // false after a fork: it belongs to the parent process
    void kill() const;   // safe: until waitpid() the process number can't be reused
    // Kills the process and returns its wait status; 0 if another part of the program, or the system, has already
    // waited for it.
    int end();

  private:
    pid_t m_process = -1, m_owner = -1;
};

// Throws Error(badFile): "'FILE' can't be opened: WHY".
[[noreturn]] void refuseFile(const std::filesystem::path& file, const Text& why);
// Throws Error(noMemory), or Error(badFile) if that isn't the reason.
[[noreturn]] void failToStart(const std::filesystem::path& file, int error);

// Limits of a helper, for messages.
struct HelperLimits {
    double memoryBytes = 0;
    int processorSeconds = 0;
};
// Throws the error for a helper that ended without an answer; status: from waitpid().
[[noreturn]] void refuseEnded(const std::filesystem::path& file, int status, const HelperLimits& limits);
[[noreturn]] void refuseForMemory(const std::filesystem::path& file, const HelperLimits& limits);
[[noreturn]] void refuseLate(const std::filesystem::path& file, long long seconds);

} // namespace engine
