// SPDX-License-Identifier: GPL-3.0-or-later
// A library that tests preload into a program so that it sees 40 processors, however many there are
#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <cstring>

namespace
{

constexpr int shown = 40;

} // namespace

extern "C" int sched_getaffinity(pid_t, std::size_t bytes, cpu_set_t* set) noexcept
{
    std::memset(set, 0, bytes);
    for (int k = 0; k < shown; ++k)
        CPU_SET_S(static_cast<std::size_t>(k), bytes, set);
    return 0;
}

extern "C" long sysconf(int name) noexcept
{
    static const auto next = reinterpret_cast<long (*)(int)>(::dlsym(RTLD_NEXT, "sysconf"));
    return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? shown : next(name);
}
