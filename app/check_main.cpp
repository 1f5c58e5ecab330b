// SPDX-License-Identifier: GPL-3.0-or-later
// sinoscope-check: the helper process in which the other programs read HDF5 and MATLAB files
// (engine/io/library/server.h).
#include "engine/io/library/server.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

int main(int count, char** arguments)
{
#if defined(__GLIBC__)
    // Keeps freed memory for reuse. Memory that is returned to the system and taken again is cleared each time, which
    // would be a sixth of the time that reading a .mat file takes.
    ::mallopt(M_MMAP_THRESHOLD, 256 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    ::mallopt(M_TOP_PAD, 8 << 20);
#endif
    // _exit skips the exit handlers of libraries, which might print.
    if (count == 3 && std::string_view(arguments[1]) == "decode")
        ::_exit(engine::servePlugin(STDIN_FILENO, std::atoi(arguments[2])));
    ::_exit(engine::serveFiles(STDIN_FILENO));
}
