// SPDX-License-Identifier: GPL-3.0-or-later
// sinoscope-check: the helper process in which the other programs first read untrusted files
// (engine/io/check/file_check.h).
#include "engine/io/open/helper.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <unistd.h>

int main()
{
#if defined(__GLIBC__) // reuse freed memory: otherwise the system clears it again, a sixth of the time of a .mat file
    ::mallopt(M_MMAP_THRESHOLD, 256 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    ::mallopt(M_TOP_PAD, 8 << 20);
#endif
    ::_exit(engine::runHelper()); // skips the exit handlers of libraries, which might print
}
