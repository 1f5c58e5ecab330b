// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/runtime_library.h"

#include <dlfcn.h>

namespace engine
{

RuntimeLibrary::RuntimeLibrary(std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if ((m_handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)))
            return;
}

void* RuntimeLibrary::addressOf(const char* name) const
{
    return m_handle ? dlsym(m_handle, name) : nullptr;
}

} // namespace engine
