// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of sinoscope-check: one that can't be had ends it, as libraries leave out what they get no memory for, and the
// program that asked would give them that memory.
#include "engine/io/check/check_program.h"

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
    return memory && bytes == 0 ? moved : had(moved); // which gives it back
}
}

#endif
