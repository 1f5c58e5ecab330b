// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 write driver: a full disk is an error, not a crash.
#pragma once

#include "engine/io/hdf5/hdf5_library.h"

namespace engine
{

// The state of writing. HDF5 can't close a file whose last bytes can't be written: the file stays open inside the
// library and crashes the program at exit. So the driver reports every write as successful, and records the first
// failure here for the writer to check. After a failure nothing more is written.
struct Hdf5OutputState {
    int failure = 0;    // errno of the first write that failed
    bool keeps = false; // existing contents stay: HDF5 rewrites the structure around the numbers
};

// Returns the driver, to be passed to useOutputDriver(). It must outlive the files.
Hdf5Handle registerOutputDriver();
// Makes a file access property list use the driver; the state must outlive the file.
bool useOutputDriver(std::int64_t fileAccess, const Hdf5Handle& driver, Hdf5OutputState& state);

} // namespace engine
