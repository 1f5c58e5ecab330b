// SPDX-License-Identifier: GPL-3.0-or-later
// The helper program as a reader of HDF5 and MATLAB files: it answers questions about them (helper_session.h) over a
// socket.
#pragma once

namespace engine
{

// Confines this process and answers questions until the socket closes. Returns the exit status.
int serveFiles(int socket);

} // namespace engine
