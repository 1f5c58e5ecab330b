// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/helper_process.h"

#include "engine/base/error.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// Returns the folder of this code: of the program, or of the shared library of which it is a part.
fs::path ownFolder()
{
    static const char anchor = 0;
    Dl_info info{};
    link_map* library = nullptr;
    // The program itself has no name in this list.
    if (::dladdr1(&anchor, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) != 0 && library &&
        library->l_name && library->l_name[0] != 0)
        return fs::path(library->l_name).parent_path();
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

// Returns whether the memory limit that this process was started with (ulimit -v), and which the helper inherits, is
// no higher than `bytes`.
bool isLimitedTo(double bytes)
{
    rlimit limit = {};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           static_cast<double>(limit.rlim_cur) <= bytes;
}

std::string megabytes(double bytes)
{
    return std::to_string(static_cast<long long>(bytes / 1e6)) + " MB";
}

} // namespace

void refuseFile(const fs::path& file, const Text& why)
{
    throw Error(ErrorKind::badFile, fileText(file.string()) + " can't be opened: " + why);
}

void failToStart(const fs::path& file, int error)
{
    if (error == ENOMEM || error == EAGAIN || error == EMFILE || error == ENFILE)
        throw Error(ErrorKind::noMemory, "There is not enough memory, or there are too many processes, to open " +
                                             fileText(file.string()) + ": " + std::generic_category().message(error) +
                                             ".");
    refuseFile(file, std::string("the program ") + helperName +
                         ", which reads it, can't be started: " + std::generic_category().message(error) + ".");
}

void refuseForMemory(const fs::path& file, const HelperLimits& limits)
{
    if (isLimitedTo(limits.memoryBytes))
        throw Error(ErrorKind::noMemory, "There is not enough memory to open " + fileText(file.string()) + ".");
    refuseFile(file, "reading its contents takes more than " + megabytes(limits.memoryBytes) +
                         " of memory. It is damaged, or crafted to exhaust the memory.");
}

void refuseEnded(const fs::path& file, int status, const HelperLimits& limits)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == exitNoMemory)
        refuseForMemory(file, limits);
    if (!WIFSIGNALED(status) || WTERMSIG(status) == SIGKILL) // killed by the kernel when out of memory, or by somebody
        refuseFile(file, "the program that reads it ended without an answer. The file is damaged, or the system is "
                         "short of memory.");
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU)
        refuseFile(file, "reading its contents takes more than " + std::to_string(limits.processorSeconds) +
                             " s of processor time. It is damaged, or crafted to keep the program busy.");
    refuseFile(file, "the library that reads it crashes (" + std::string(::strsignal(signal)) +
                         "), as it did in a separate process. The file is damaged, or crafted to do harm.");
}

void refuseLate(const fs::path& file, long long seconds)
{
    refuseFile(file, "reading its contents takes more than " + std::to_string(seconds) +
                         " s. It is damaged, crafted to keep the program waiting, or on a very slow disk.");
}

fs::path helperFor(const fs::path& file)
{
    const fs::path folder = ownFolder();
    for (const char* place : {".", "../lib/sinoscope"})
        if (const fs::path helper = folder / place / helperName; !folder.empty() && ::access(helper.c_str(), X_OK) == 0)
            return helper;
    refuseFile(file, std::string("files are read by the program ") + helperName +
                         ", which is missing beside this one or can't be executed (in " + fileText(folder.string()) +
                         "). Install Sinoscope again.");
}

// posix_spawn uses vfork: the memory of this process, however large, isn't copied.
HelperProcess::HelperProcess(const fs::path& program, std::vector<std::string> arguments, const fs::path& file,
                             int socket)
    : m_owner(::getpid())
{
    struct Attributes {
        posix_spawnattr_t of;
        posix_spawn_file_actions_t files;
        Attributes() { ::posix_spawnattr_init(&of), ::posix_spawn_file_actions_init(&files); }
        ~Attributes() { ::posix_spawn_file_actions_destroy(&files), ::posix_spawnattr_destroy(&of); }
    } how;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    // A process group of its own: Ctrl+C at the terminal reaches only this program, which then ends the helper.
    ::posix_spawnattr_setflags(&how.of, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setsigmask(&how.of, &none);
    ::posix_spawnattr_setsigdefault(&how.of, &all);
    arguments.insert(arguments.begin(), helperName);
    std::vector<char*> words;
    for (std::string& argument : arguments)
        words.push_back(argument.data());
    words.push_back(nullptr);
    int error = ::posix_spawn_file_actions_adddup2(&how.files, socket, STDIN_FILENO);
    if (error == 0)
        error = ::posix_spawn_file_actions_addopen(&how.files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = ::posix_spawn_file_actions_addopen(&how.files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = ::posix_spawn_file_actions_addclosefrom_np(&how.files, STDERR_FILENO + 1);
    if (error == 0)
        error = ::posix_spawn(&m_process, program.c_str(), &how.files, &how.of, words.data(), environ);
    if (error != 0) {
        m_process = -1;
        failToStart(file, error);
    }
}

HelperProcess::~HelperProcess()
{
    if (m_process > 0 && isOurs())
        end();
}

bool HelperProcess::isOurs() const
{
    return m_owner == ::getpid();
}

void HelperProcess::kill() const
{
    ::kill(m_process, SIGKILL);
}

int HelperProcess::end()
{
    kill();
    int status = 0;
    while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
    }
    m_process = -1;
    return status;
}

} // namespace engine
