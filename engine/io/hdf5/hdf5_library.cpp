// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/hdf5_library.h"

#include "engine/base/reserved_memory.h"

#include <hdf5.h>

#include <cstdlib>
#include <new>
#include <type_traits>

namespace engine
{

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>, "HDF5 1.10 or newer");

namespace
{

// Locks the library. HDF5 has one state per process, so a build without thread safety needs one lock per process.
std::unique_lock<std::recursive_mutex> lockLibrary()
{
    static const bool begun = [] {
        const ReservedMemory reserved(1 << 20); // if memory is short, HDF5 crashes here or later
        // Paths are resolved as the files specify, not as the environment does.
        ::setenv("HDF5_EXTFILE_PREFIX", "${ORIGIN}", 1); // external storage: relative to the file's folder
        ::unsetenv("HDF5_VDS_PREFIX");
        H5dont_atexit(); // at exit HDF5 would fail to close objects leaked from damaged files, and print errors
        return H5open() >= 0;
    }();
    if (!begun)
        throw std::bad_alloc();
    hbool_t safe = false;
    if (H5is_library_threadsafe(&safe) >= 0 && safe)
        return {};
    static std::recursive_mutex library;
    return std::unique_lock(library);
}

} // namespace

Hdf5Guard::Hdf5Guard() : m_lock(lockLibrary())
{
    H5E_auto2_t printer = nullptr;
    H5Eget_auto2(H5E_DEFAULT, &printer, &m_printerData);
    m_printer = reinterpret_cast<void*>(printer);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Guard::~Hdf5Guard()
{
    H5Eset_auto2(H5E_DEFAULT, reinterpret_cast<H5E_auto2_t>(m_printer), m_printerData);
}

std::string hdf5Message()
{
    std::string message;
    const auto innermost = [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
        if (error->desc)
            *static_cast<std::string*>(data) = error->desc;
        return 1; // the walk starts at the innermost error: stop there
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &message);
    return message.empty() ? "no reason given" : message;
}

namespace
{

void requireMemory(bool worked)
{
    bool lacks = false;
    const auto look = [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
        *static_cast<bool*>(data) |=
            error->maj_num == H5E_RESOURCE || error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC;
        return 0;
    };
    if (!worked)
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &lacks);
    if (lacks)
        throw std::bad_alloc();
}

} // namespace

bool isYes(int answer)
{
    requireMemory(answer >= 0);
    return answer > 0;
}

int readWithMemory(int read)
{
    requireMemory(read >= 0);
    return read;
}

Hdf5Handle withMemory(std::int64_t id, Hdf5Handle::Close close)
{
    requireMemory(id >= 0);
    return {id, close};
}

Hdf5Handle halfType(std::int64_t single)
{
    Hdf5Handle made(H5Tcopy(single), H5Tclose);
    H5Tset_fields(made.id(), 15, 10, 5, 0, 10);
    H5Tset_size(made.id(), 2);
    H5Tset_ebias(made.id(), 15);
    return made;
}

std::filesystem::path externalPlace(const std::filesystem::path& name, const std::filesystem::path& file)
{
    return file.parent_path() / name; // an absolute path stays as it is
}

} // namespace engine
