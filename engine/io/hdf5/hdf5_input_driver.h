// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 read driver: regular files only; failed reads are errors, not zeros.
#pragma once

#include "engine/io/hdf5/hdf5_library.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

namespace engine
{

// Of a file and of all that HDF5 opens on its behalf, behind external links and as sources of virtual data sets.
struct Hdf5Inputs : std::enable_shared_from_this<Hdf5Inputs> {
    explicit Hdf5Inputs(std::filesystem::path opened) : path(std::move(opened)) {}
    std::filesystem::path path;          // others may not lie in folders of the system
    std::string failure;                 // what first couldn't be read, though it is there: "'PATH' can't be read: …"
    std::string refusal = {};            // HDF5's reason not to open what was opened last
    bool noMemory = false;               // for some of it
    std::set<std::string> lookedUp = {}; // data sets whose chunks the helper has looked up
};

// Opens inputs.path, or another file on its behalf, for reading and without a file lock. Negative: see the refusal
// and the failure. Under Hdf5Guard.
Hdf5Handle openHdf5(const std::shared_ptr<Hdf5Inputs>& inputs, const std::filesystem::path& path);

// While it lives, HDF5 is given no more samples at once, in this thread, than the memory for them holds: of a chunk
// without filters it believes the size that the file says to be stored, whatever was asked for before.
class SamplesLimit
{
  public:
    explicit SamplesLimit(std::size_t bytes);
    ~SamplesLimit();
    SamplesLimit(const SamplesLimit&) = delete;
    SamplesLimit& operator=(const SamplesLimit&) = delete;

    std::size_t wanted() const; // bytes, of the last ones, read or not
};

} // namespace engine
