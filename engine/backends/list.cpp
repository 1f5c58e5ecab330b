// SPDX-License-Identifier: GPL-3.0-or-later
// The list of backends, in a file of its own: a test links another list.
#include "engine/backends/backend.h"

namespace engine
{

std::span<const Backend* const> backends()
{
    static const Backend* const list[] = {&cpuBackend, &cudaBackend, &openClBackend};
    return list;
}

} // namespace engine
