// SPDX-License-Identifier: GPL-3.0-or-later
// sinoscope-check: the helper process in which the other programs read HDF5 and MATLAB files
// (engine/io/library/server.h).
#include "engine/io/library/server.h"

#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

int main()
{
#if defined(__GLIBC__)
    // Keeps freed memory for reuse. Memory that is returned to the system and taken again is cleared each time, which
    // would be a sixth of the time that reading a .mat file takes.
    ::mallopt(M_MMAP_THRESHOLD, 256 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    ::mallopt(M_TOP_PAD, 8 << 20);
#endif
    ::_exit(engine::serveFiles(STDIN_FILENO)); // skips the exit handlers of libraries, which might print
}
