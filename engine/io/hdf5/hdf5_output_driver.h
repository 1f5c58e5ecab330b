// SPDX-License-Identifier: GPL-3.0-or-later
// The way of HDF5's bytes to the disk, so that a full disk is an error and not a crash.
#pragma once

#include "engine/io/hdf5/hdf5_library.h"

namespace engine
{

// HDF5 can't close a file whose last bytes can't be written: the file stays open inside the library
// and brings the program down when it exits. So the library is told that every write succeeded, and
// the first failure is kept here for the writer to ask for. After it nothing is written any more.
struct Hdf5OutputState {
    int failure = 0;    // errno of the first write that failed
    bool keeps = false; // what the file has already: its structure is written again around its numbers
};

// The driver that reports to a state; to be passed to useOutputDriver. Stays until files are closed.
Hdf5Handle registerOutputDriver();
// Lets a file access list use the driver; the state outlives the file.
bool useOutputDriver(std::int64_t fileAccess, const Hdf5Handle& driver, Hdf5OutputState& state);

} // namespace engine
