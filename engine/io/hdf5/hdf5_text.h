// SPDX-License-Identifier: GPL-3.0-or-later
// Types and values of HDF5 as texts. Under Hdf5Guard.
#pragma once

#include "engine/base/text.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace engine
{

// "uint16", "float32", … of a type (hid_t); empty unless it is one of numbers.
std::string sampleTypeOf(std::int64_t type);

// First element of a data set or an attribute, `what`, as text: read fetches all elements of the space as the memory
// type (hid_t). Throws Error(badFile) for a text that is too long.
std::optional<std::string> firstAsText(const Text& what, std::int64_t type, std::int64_t space,
                                       const std::function<int(std::int64_t memory, void* buffer)>& read);

} // namespace engine
