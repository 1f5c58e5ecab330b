// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/child_process.h"

#include "engine/base/error.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

extern char** environ;

namespace engine
{

ChildProcess::ChildProcess(const std::string& program, std::vector<std::string> arguments,
                           const std::filesystem::path& output)
{
    arguments.insert(arguments.begin(), program);
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int failure = posix_spawnp(&m_process, program.c_str(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        throw Error(ErrorKind::badRequest, program + ": it can't be started: " + std::strerror(failure));
}

ChildProcess::~ChildProcess()
{
    if (m_process <= 0)
        return;
    kill(m_process, SIGTERM);
    waitpid(m_process, nullptr, 0);
}

int ChildProcess::wait(const std::stop_token& stop, const std::function<void()>& meanwhile)
{
    int status = 0;
    while (true) {
        const pid_t ended = waitpid(m_process, &status, WNOHANG);
        if (ended == m_process)
            break;
        if (ended < 0 && errno != EINTR)
            throw Error(ErrorKind::badRequest,
                        std::string("another program can't be waited for: ") + std::strerror(errno));
        throwIfStopped(stop);
        if (meanwhile)
            meanwhile();
        std::this_thread::sleep_for(std::chrono::milliseconds(2)); // programs run for seconds
    }
    m_process = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace engine
