// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/child_process.h"

#include "engine/base/error.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

namespace engine
{

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace
{

constexpr auto interval = 2ms;   // programs run for seconds
constexpr auto patience = 500ms; // of the 700 ms that a command-line program has after Ctrl+C

[[noreturn]] void failToStart(const std::string& program, int error)
{
    throw Error(ErrorKind::badRequest, program + ": it can't be started: " + std::strerror(error));
}

// Returns the absolute path of a program, as the child may run in another folder. Throws Error(badRequest).
std::string pathOf(const std::string& program)
{
    if (program.find('/') != std::string::npos)
        return fs::absolute(program).string();
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path found = fs::absolute(folder.empty() ? "." : folder) / program;
        std::error_code unreadable;
        if (fs::is_regular_file(found, unreadable) && ::access(found.c_str(), X_OK) == 0)
            return found.string();
    }
    failToStart(program, ENOENT);
}

bool opens(const char* path, int flags, int as)
{
    const int descriptor = ::open(path, flags | O_CLOEXEC, 0600);
    return descriptor >= 0 && ::dup2(descriptor, as) >= 0;
}

// Turns the forked process into the program; returns only if that fails, with errno. Calls only functions that are safe
// after fork() in a process with several threads.
void become(char* const* arguments, const char* output, const char* folder, pid_t parent)
{
    for (int signal = 1; signal < NSIG; ++signal)
        std::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) // it ended before the line above
        ::_exit(1);
    ::setpgid(0, 0);
    if (opens("/dev/null", O_RDONLY, STDIN_FILENO) && opens(output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) &&
        (!*folder || ::chdir(folder) == 0))
        ::execv(arguments[0], arguments);
}

} // namespace

ChildProcess::ChildProcess(const std::string& program, std::vector<std::string> arguments, const fs::path& output,
                           const fs::path& folder)
{
    arguments.insert(arguments.begin(), pathOf(program));
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    std::array<int, 2> ends{}; // of a pipe for the reason why the program can't be started
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        failToStart(program, errno);
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before); // no handler of this process runs in the child
    const pid_t parent = ::getpid();
    m_process = ::fork();
    int failure = errno;
    if (m_process == 0) {
        become(pointers.data(), output.c_str(), folder.c_str(), parent);
        failure = errno;
        ::_exit(::write(ends[1], &failure, sizeof failure) > 0 ? 127 : 126);
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(ends[1]);
    ssize_t told = -1; // nothing if the program is started
    while (m_process > 0 && (told = ::read(ends[0], &failure, sizeof failure)) < 0 && errno == EINTR) {
    }
    ::close(ends[0]);
    if (told == 0)
        return;
    if (m_process > 0)
        ::waitpid(m_process, nullptr, 0);
    failToStart(program, failure);
}

ChildProcess::~ChildProcess()
{
    if (m_process <= 0)
        return;
    ::kill(-m_process, SIGTERM);
    const auto latest = std::chrono::steady_clock::now() + patience;
    siginfo_t ended = {};
    while (ended.si_pid == 0 && std::chrono::steady_clock::now() < latest &&
           ::waitid(P_PID, static_cast<id_t>(m_process), &ended, WEXITED | WNOHANG | WNOWAIT) == 0)
        std::this_thread::sleep_for(interval);
    ::kill(-m_process, SIGKILL); // what ignores SIGTERM, and processes that it started
    ::waitpid(m_process, nullptr, 0);
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
        std::this_thread::sleep_for(interval);
    }
    m_process = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace engine
