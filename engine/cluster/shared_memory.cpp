// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/shared_memory.h"

#include "engine/base/error.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

namespace engine::cluster
{

namespace
{

[[noreturn]] void throwRefused(const std::string& name, int code)
{
    throw Error(ErrorKind::noMemory,
                "shared memory '" + name + "' (" + std::error_code(code, std::generic_category()).message() + ")");
}

class Descriptor
{
  public:
    explicit Descriptor(int descriptor) : m_descriptor(descriptor) {}
    ~Descriptor() { ::close(m_descriptor); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_descriptor; }

  private:
    int m_descriptor;
};

} // namespace

SharedMemory::SharedMemory(std::string name, int flags, std::size_t bytes) : m_name(std::move(name)), m_bytes(bytes)
{
    const int opened = ::shm_open(m_name.c_str(), flags, 0600);
    if (opened < 0)
        throwRefused(m_name, errno);
    const Descriptor file(opened);
    m_isOwner = (flags & O_CREAT) != 0;
    // The owner allocates the memory now; otherwise the first access to a page could fail.
    int failure = m_isOwner ? ::posix_fallocate(file.get(), 0, static_cast<off_t>(bytes)) : 0;
    if (failure == 0) {
        m_data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
        if (m_data == MAP_FAILED)
            failure = errno, m_data = nullptr;
    }
    if (failure != 0) {
        dropName();
        throwRefused(m_name, failure);
    }
}

SharedMemory SharedMemory::make(std::size_t bytes)
{
    std::random_device random;
    const std::string name =
        "/sinoscope-" + std::to_string(::getpid()) + "-" + std::to_string(random()) + std::to_string(random());
    return SharedMemory(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, bytes);
}

SharedMemory SharedMemory::open(const std::string& name, std::size_t bytes)
{
    return SharedMemory(name, O_RDWR | O_CLOEXEC, bytes);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : m_name(std::move(other.m_name)), m_isOwner(std::exchange(other.m_isOwner, false)),
      m_data(std::exchange(other.m_data, nullptr)), m_bytes(other.m_bytes)
{
}

SharedMemory::~SharedMemory()
{
    dropName();
    if (m_data)
        ::munmap(m_data, m_bytes);
}

void SharedMemory::dropName()
{
    if (std::exchange(m_isOwner, false))
        ::shm_unlink(m_name.c_str());
}

} // namespace engine::cluster
