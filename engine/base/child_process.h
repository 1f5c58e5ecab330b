// SPDX-License-Identifier: GPL-3.0-or-later
// Another program that runs beside this one.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <sys/types.h>
#include <vector>

namespace engine
{

// A child process in a process group of its own, with default signal handlers, no blocked signals and no standard
// input; its standard error is shown. It is killed when the thread that started it ends, however it ends. The
// destructor sends SIGTERM to the whole group, and then kills what is left of it.
class ChildProcess
{
  public:
    // program: a path, or a name that PATH finds. output: the file that receives its standard output, created anew;
    // "/dev/null" discards it. folder: its working folder; empty: that of this process. Throws Error(badRequest) if it
    // can't be started.
    ChildProcess(const std::string& program, std::vector<std::string> arguments,
                 const std::filesystem::path& output = "/dev/null", const std::filesystem::path& folder = {});
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    // Returns the exit status; 128 plus the signal number if a signal ended the process. meanwhile is called some
    // hundred times per second. Throws Error(cancelled).
    int wait(const std::stop_token& stop, const std::function<void()>& meanwhile = {});

  private:
    pid_t m_process = -1;
};

} // namespace engine
