#include "engine/uninitialized.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstdint>

namespace engine
{

void preferLargePages(void* memory, std::size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t page = 2 << 20;
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    if (end > begin)
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE); // only advice: small pages do as well
#else
    static_cast<void>(memory);
    static_cast<void>(bytes);
#endif
}

} // namespace engine
