// SPDX-License-Identifier: GPL-3.0-or-later
// Threads bound to the processors near a GPU: on machines with several sockets, copies to the GPU from other sockets
// are slower.
#pragma once

#include <sched.h>

#include <optional>
#include <string>

namespace engine
{

// Parses a list of processors as Linux writes it, "0-3,8"; nothing if the text is no such list.
std::optional<cpu_set_t> processorsFromText(const std::string& list);

// Binds the constructing thread, and the threads that it starts, to those of the listed processors that they may use,
// until the object is destroyed. If there are none, nothing changes.
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
