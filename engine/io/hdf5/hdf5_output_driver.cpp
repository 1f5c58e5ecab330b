// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/hdf5_output_driver.h"

#include "engine/io/hdf5/hdf5_driver.h"

#include <hdf5.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace engine
{

namespace
{

struct Access { // in the file access property list, copied byte by byte
    Hdf5OutputState* state;
};

struct OutputFile {
    H5FD_t shared; // HDF5's part; must come first
    Hdf5OutputState* state;
    int descriptor;
    haddr_t allocated; // end of the space that HDF5 has allocated
    haddr_t written;   // end of the file
};

OutputFile& from(H5FD_t* file)
{
    return *reinterpret_cast<OutputFile*>(file);
}
const OutputFile& from(const H5FD_t* file)
{
    return *reinterpret_cast<const OutputFile*>(file);
}

H5FD_t* openFile(const char* name, unsigned, hid_t fileAccess, haddr_t)
{
    const auto* access = static_cast<const Access*>(H5Pget_driver_info(fileAccess));
    if (!access)
        return nullptr;
    // Without O_CREAT: a file that was removed must not reappear. Without O_TRUNC, even for an empty file: ext4 would
    // flush the file when it is closed, and removing a cancelled output of 670 MB took 0.7 s (November 2026).
    const int descriptor = ::open(name, O_RDWR | O_CLOEXEC);
    struct stat there = {};
    if (descriptor < 0 || ::fstat(descriptor, &there) != 0 ||
        (there.st_size > 0 && !access->state->keeps && ::ftruncate(descriptor, 0) != 0)) {
        access->state->failure = errno;
        if (descriptor >= 0)
            ::close(descriptor);
        return nullptr;
    }
    auto* file = new (std::nothrow) OutputFile{};
    if (!file) {
        access->state->failure = ENOMEM;
        ::close(descriptor);
        return nullptr;
    }
    file->state = access->state;
    file->descriptor = descriptor;
    return &file->shared;
}

herr_t closeFile(H5FD_t* opened)
{
    OutputFile* file = &from(opened);
    // Network file systems may report a full disk only here.
    if (::close(file->descriptor) != 0 && file->state->failure == 0)
        file->state->failure = errno;
    delete file;
    return 0;
}

herr_t queryFeatures(const H5FD_t*, unsigned long* features)
{
    *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

haddr_t allocatedEnd(const H5FD_t* file, H5FD_mem_t)
{
    return from(file).allocated;
}
haddr_t writtenEnd(const H5FD_t* file, H5FD_mem_t)
{
    return from(file).written;
}

herr_t setAllocatedEnd(H5FD_t* file, H5FD_mem_t, haddr_t end)
{
    from(file).allocated = end;
    return 0;
}

herr_t readBytes(H5FD_t* opened, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* buffer)
{
    auto* to = static_cast<char*>(buffer);
    while (size > 0) {
        const ssize_t got = ::pread(from(opened).descriptor, to, size, static_cast<off_t>(at));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0) { // beyond the end of the file
            std::memset(to, 0, size);
            break;
        }
        to += got, at += static_cast<haddr_t>(got), size -= static_cast<std::size_t>(got);
    }
    return 0;
}

herr_t writeBytes(H5FD_t* opened, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* buffer)
{
    OutputFile& file = from(opened);
    const auto* bytes = static_cast<const char*>(buffer);
    while (size > 0 && file.state->failure == 0) {
        const ssize_t put = ::pwrite(file.descriptor, bytes, size, static_cast<off_t>(at));
        if (put > 0) {
            bytes += put, at += static_cast<haddr_t>(put), size -= static_cast<std::size_t>(put);
            file.written = std::max(file.written, at);
        } else if (put == 0 || errno != EINTR) {
            file.state->failure = put == 0 ? ENOSPC : errno;
        }
    }
    return 0;
}

herr_t truncateFile(H5FD_t* opened, hid_t, hbool_t)
{
    OutputFile& file = from(opened);
    const bool mayBeLonger = file.state->keeps; // an interrupted writer may have written more
    if ((file.written != file.allocated || mayBeLonger) && file.state->failure == 0 &&
        ::ftruncate(file.descriptor, static_cast<off_t>(file.allocated)) != 0)
        file.state->failure = errno;
    file.written = file.allocated;
    return 0;
}

H5FD_class_t outputDriver()
{
    H5FD_class_t driver = plainDriver("sinoscope-output", 513, sizeof(Access));
    driver.open = openFile;
    driver.close = closeFile;
    driver.query = queryFeatures;
    driver.get_eoa = allocatedEnd;
    driver.set_eoa = setAllocatedEnd;
    driver.get_eof = writtenEnd;
    driver.read = readBytes;
    driver.write = writeBytes;
    driver.truncate = truncateFile;
    return driver;
}

} // namespace

Hdf5Handle registerOutputDriver()
{
    const H5FD_class_t driver = outputDriver(); // copied by the library
    return {H5FDregister(&driver), H5FDunregister};
}

bool useOutputDriver(std::int64_t fileAccess, const Hdf5Handle& driver, Hdf5OutputState& state)
{
    const Access access{&state};
    return driver && H5Pset_driver(fileAccess, driver.id(), &access) >= 0;
}

} // namespace engine
