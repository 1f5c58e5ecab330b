// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 read driver: regular files only; failed reads are errors, not zeros.
#pragma once

#include "engine/io/hdf5/hdf5_library.h"
#include "engine/io/hdf5/hdf5_types.h"
#include "engine/io/library/library_access.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace engine
{

// State shared by a file and all files that HDF5 opens on its behalf: behind external links, and as sources of
// virtual data sets.
struct Hdf5Inputs : std::enable_shared_from_this<Hdf5Inputs> {
    Hdf5Inputs(std::filesystem::path opened, LibraryAccess& by) : path(std::move(opened)), access(by) {}
    std::filesystem::path path; // the file itself
    LibraryAccess& access;
    std::string failure;              // the first failure to read an existing file: "'PATH' can't be read: …"
    std::string refusal = {};         // HDF5's reason for not opening the last file
    bool noMemory = false;            // an allocation failed
    std::unique_ptr<InputFile> ready; // opened by openHdf5() for the driver
};

// Opens inputs.path, or another file on its behalf, for reading and without a file lock. The handle is negative on
// failure: see the refusal and the failure. To be called under Hdf5Guard.
Hdf5Handle openHdf5(const std::shared_ptr<Hdf5Inputs>& inputs, const std::filesystem::path& path);

// A limit on the bytes of samples that HDF5 may read at a time, on this thread, while the object lives: the size of
// the buffer. HDF5 reads a chunk without filters with the size that the file claims, even if it reported another size
// before.
class SamplesLimit
{
  public:
    explicit SamplesLimit(std::size_t bytes);
    ~SamplesLimit();
    SamplesLimit(const SamplesLimit&) = delete;
    SamplesLimit& operator=(const SamplesLimit&) = delete;

    std::size_t wanted() const; // bytes of the last request, whether read or not
};

// A note of where HDF5 reads samples on this thread while the object lives; they aren't read.
class SamplesPlace
{
  public:
    SamplesPlace();
    ~SamplesPlace();
    SamplesPlace(const SamplesPlace&) = delete;
    SamplesPlace& operator=(const SamplesPlace&) = delete;

    const std::optional<ChunkPlace>& last() const; // offset and bytes of the last request
    void clear();
};

} // namespace engine
