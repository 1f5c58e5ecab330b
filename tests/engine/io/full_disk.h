// SPDX-License-Identifier: GPL-3.0-or-later
// A disk that is full, as far as writing goes.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace made
{

// Files of this process can't grow beyond `bytes` while it stands: a full disk, as far as writing goes.
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
