// SPDX-License-Identifier: GPL-3.0-or-later
// A thread on the processors that are near a GPU: on machines of several sockets, copies to it from elsewhere cross
// over.
#pragma once

#include <sched.h>

#include <optional>
#include <string>

namespace engine
{

// "0-3,8" as Linux lists processors; nothing where it is no such list.
std::optional<cpu_set_t> processorsFromText(const std::string& list);

// While it lives, the thread that made it, and those that it starts, run on those of the listed processors that they
// were allowed to run on; on all of them as before where there are none.
class BoundThread
{
  public:
    explicit BoundThread(const std::string& processors);
    ~BoundThread();
    BoundThread(const BoundThread&) = delete;
    BoundThread& operator=(const BoundThread&) = delete;

  private:
    std::optional<cpu_set_t> m_before;
};

} // namespace engine
