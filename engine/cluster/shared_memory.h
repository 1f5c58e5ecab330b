// SPDX-License-Identifier: GPL-3.0-or-later
// Memory shared by processes of one machine; it is freed when the last of them releases it.
#pragma once

#include <cstddef>
#include <string>

namespace engine::cluster
{

class SharedMemory
{
  public:
    // make() creates memory filled with 0, under a name by which other processes open it. Both throw Error(noMemory).
    static SharedMemory make(std::size_t bytes);
    static SharedMemory open(const std::string& name, std::size_t bytes);

    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&&) = delete;
    ~SharedMemory();

    void* data() const { return m_data; } // aligned to a page
    const std::string& name() const { return m_name; }
    void dropName(); // when all processes have opened it

  private:
    SharedMemory(std::string name, int flags, std::size_t bytes);

    std::string m_name;
    bool m_isOwner = false; // of the name
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace engine::cluster
