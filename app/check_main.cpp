// SPDX-License-Identifier: GPL-3.0-or-later
// The program that reads files of others first, for the programs beside it (engine/io/check/file_check.h).
#include "engine/io/open/helper.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <unistd.h>

int main()
{
#if defined(__GLIBC__) // freed memory serves again, which the system would have to clear: a sixth of a .mat's time
    ::mallopt(M_MMAP_THRESHOLD, 256 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    ::mallopt(M_TOP_PAD, 8 << 20);
#endif
    ::_exit(engine::runHelper()); // without a word of libraries that clear up
}
