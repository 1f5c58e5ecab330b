// SPDX-License-Identifier: GPL-3.0-or-later
// A library that tests preload into a program to stop it at the same place on every machine: the thread that creates
// or writes a file for the n-th time waits. It continues when the test releases it, or, unless SINOSCOPE_HOLD_FIRMLY is
// set, when the program has received a signal and asked its work to stop. hold.h sets the variables; the program itself
// contains no code for this.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace
{

// Returns the function that the program would have called without this library.
template <typename Function>
Function* next(const char* name)
{
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::atomic<int> timesSeen = 0;
std::atomic<bool> isAskedToStop = false;

void wait()
{
    static const std::string file = variable("SINOSCOPE_HOLD_FILE"), unfinished = file + '~';
    static const bool isFirm = !variable("SINOSCOPE_HOLD_FIRMLY").empty();
    std::FILE* const told = std::fopen(unfinished.c_str(), "w");
    if (!told || std::fprintf(told, "%d\n", int(::getpid())) < 0 || std::fclose(told) != 0 ||
        std::rename(unfinished.c_str(), file.c_str()) != 0)
        std::abort();
    while ((isFirm || !isAskedToStop) && ::access(file.c_str(), F_OK) == 0)
        ::usleep(1000);
}

// Called after a file was created or written.
void seen(const std::string& path)
{
    static const std::string name = variable("SINOSCOPE_HOLD_AT");
    static const int times = std::atoi(variable("SINOSCOPE_HOLD_TIMES").c_str());
    const int error = errno;
    if (!name.empty() && path.find(name) != std::string::npos && ++timesSeen == times)
        wait();
    errno = error;
}

void written(int descriptor)
{
    char path[4096];
    const int error = errno;
    const ssize_t length = ::readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), path, sizeof path);
    errno = error;
    if (length > 0)
        seen(std::string(path, static_cast<std::size_t>(length)));
}

template <typename Open>
int opened(Open* open, const char* path, int flags, mode_t mode)
{
    const int descriptor = open(path, flags, mode);
    if (descriptor >= 0 && (flags & O_CREAT))
        seen(path);
    return descriptor;
}

mode_t modeOf(int flags, std::va_list arguments)
{
    const bool isGiven = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
    return isGiven ? static_cast<mode_t>(va_arg(arguments, unsigned)) : 0;
}

} // namespace

extern "C" int open(const char* path, int flags, ...)
{
    static auto* const system = next<int(const char*, int, ...)>("open");
    std::va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeOf(flags, arguments);
    va_end(arguments);
    return opened(system, path, flags, mode);
}

extern "C" int open64(const char* path, int flags, ...)
{
    static auto* const system = next<int(const char*, int, ...)>("open64");
    std::va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeOf(flags, arguments);
    va_end(arguments);
    return opened(system, path, flags, mode);
}

extern "C" ssize_t write(int descriptor, const void* bytes, std::size_t count)
{
    static auto* const system = next<ssize_t(int, const void*, std::size_t)>("write");
    const ssize_t put = system(descriptor, bytes, count);
    if (put > 0)
        written(descriptor);
    return put;
}

extern "C" ssize_t pwrite(int descriptor, const void* bytes, std::size_t count, off_t at)
{
    static auto* const system = next<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
    const ssize_t put = system(descriptor, bytes, count, at);
    if (put > 0)
        written(descriptor);
    return put;
}

extern "C" ssize_t pwrite64(int descriptor, const void* bytes, std::size_t count, off64_t at)
{
    static auto* const system = next<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64");
    const ssize_t put = system(descriptor, bytes, count, at);
    if (put > 0)
        written(descriptor);
    return put;
}

// The programs call this function after requesting their work to stop (app/cli/interruption.cpp).
extern "C" int sigtimedwait(const sigset_t* signals, siginfo_t* which, const timespec* limit)
{
    static auto* const system = next<int(const sigset_t*, siginfo_t*, const timespec*)>("sigtimedwait");
    isAskedToStop = true;
    return system(signals, which, limit);
}
