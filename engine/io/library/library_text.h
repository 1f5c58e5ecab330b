// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 types and values as texts. To be called under Hdf5Guard.
#pragma once

#include "engine/base/text.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace engine
{

// Names a numeric type (hid_t): "uint16", "float32", …; empty for other types.
std::string sampleTypeOf(std::int64_t type);

// Returns the first element of a data set or an attribute as text. `what` names it in messages; `read` reads all
// elements of the space, converted to the memory type (hid_t). Throws Error(badFile) for a text that is too long.
std::optional<std::string> firstAsText(const Text& what, std::int64_t type, std::int64_t space,
                                       const std::function<int(std::int64_t memory, void* buffer)>& read);

} // namespace engine
