// SPDX-License-Identifier: GPL-3.0-or-later
// What lies in a folder beside the slices that are to be written there.
#pragma once

#include "engine/scan/geometry.h"

#include <filesystem>
#include <string>

namespace engine
{

// TIFFs of other volumes, or slices by the same name that were made otherwise: what reads the folder takes all of them
// for one volume. madeOf: of those to be written, as it is stored with them; "": what has their name may be of
// anything. A sentence to warn with; "" where there are none.
std::string mixedSlicesText(const std::filesystem::path& folder, const std::string& name, RowRange slices,
                            const std::string& madeOf);

} // namespace engine
