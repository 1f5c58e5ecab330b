// SPDX-License-Identifier: GPL-3.0-or-later
// The helper program as a reader of HDF5 and MATLAB files: it answers questions about them (helper_session.h) over a
// socket.
#pragma once

#include "engine/io/library/answering.h"

namespace engine
{

// Returns what answers questions about files, which the program at the other end of the socket opens.
Answers answersAboutFiles(int socket);

// Confines this process and answers such questions until the socket closes. Returns the exit status.
int serveFiles(int socket);

// As above, for chunks that a plug-in of HDF5 decodes. filter: its number in HDF5's registry.
int servePlugin(int socket, int filter);

} // namespace engine
