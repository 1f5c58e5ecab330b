// SPDX-License-Identifier: GPL-3.0-or-later
// Memory allocation of sinoscope-check. A failed allocation ends the helper process: the libraries would otherwise
// skip what they get no memory for and report success, although the calling program may well have that memory.
#include "engine/io/check/helper_process.h"

#include <cstddef>
#include <unistd.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);

static void* had(void* memory)
{
    return memory ? memory : (::_exit(engine::exitNoMemory), nullptr);
}

void* malloc(std::size_t bytes) noexcept
{
    return had(__libc_malloc(bytes));
}
void* calloc(std::size_t count, std::size_t bytes) noexcept
{
    return had(__libc_calloc(count, bytes));
}
void* realloc(void* memory, std::size_t bytes) noexcept
{
    void* moved = __libc_realloc(memory, bytes);
    return memory && bytes == 0 ? moved : had(moved); // realloc(memory, 0) frees the memory
}
}

#endif
