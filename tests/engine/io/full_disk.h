// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated full disk
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace made
{

// Limits the files of this process to `bytes` during its lifetime, so that writing fails as on a full disk
class FullDisk
{
  public:
    explicit FullDisk(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &m_before); }

  private:
    rlimit m_before{};
};

} // namespace made
