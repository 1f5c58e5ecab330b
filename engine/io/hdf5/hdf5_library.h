// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of reading and writing HDF5: owned handles, the library's lock and its messages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>

namespace engine
{

// An owned HDF5 identifier (hid_t, a 64-bit integer since HDF5 1.10); negative: none.
class Hdf5Handle
{
  public:
    using Close = int (*)(std::int64_t);
    Hdf5Handle() = default;
    Hdf5Handle(std::int64_t id, Close close) : m_id(id), m_close(close) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept : m_id(std::exchange(other.m_id, -1)), m_close(other.m_close) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept
    {
        std::swap(m_id, other.m_id);
        std::swap(m_close, other.m_close);
        return *this;
    }
    ~Hdf5Handle() { close(); }

    std::int64_t id() const { return m_id; }
    explicit operator bool() const { return m_id >= 0; }
    bool close() { return m_id < 0 || m_close(std::exchange(m_id, -1)) >= 0; }

  private:
    std::int64_t m_id = -1;
    Close m_close = nullptr;
};

// A guard around every use of the library: keeps it from printing its errors on this thread and, if it was built
// without thread safety, locks out other threads.
class Hdf5Guard
{
  public:
    Hdf5Guard();
    ~Hdf5Guard();
    Hdf5Guard(const Hdf5Guard&) = delete;
    Hdf5Guard& operator=(const Hdf5Guard&) = delete;

  private:
    std::unique_lock<std::recursive_mutex> m_lock;
    void* m_printer = nullptr;
    void* m_printerData = nullptr;
};

// Returns the place of external storage, relative to the folder of the file that names it. HDF5 alone would look in
// the working directory.
std::filesystem::path externalPlace(const std::filesystem::path& name, const std::filesystem::path& file);

// Returns IEEE 754's binary16, as NumPy's float16, in the byte order of a type of 32 bits (H5T_IEEE_F32LE or
// H5T_IEEE_F32BE).
Hdf5Handle halfType(std::int64_t single);

// Returns the innermost message of the last error. To be called before anything else is closed.
std::string hdf5Message();

// Pass on the library's answer, but throw std::bad_alloc if the call failed for lack of memory: what couldn't be
// examined for that reason may exist all the same.
bool isYes(int answer);
int readWithMemory(int read);
Hdf5Handle withMemory(std::int64_t id, Hdf5Handle::Close close);

} // namespace engine
