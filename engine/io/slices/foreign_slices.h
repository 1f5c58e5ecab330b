// SPDX-License-Identifier: GPL-3.0-or-later
// Other slices in the folder that slices are to be written to.
#pragma once

#include "engine/scan/geometry.h"

#include <filesystem>
#include <string>

namespace engine
{

// Returns a warning, a sentence, if the folder has TIFFs of other volumes, or slices of the same name that were made
// otherwise: programs that read the folder would merge them into one volume; "" if it has none. madeOf: the origin of
// the slices to be written, as it is stored with them; "": slices of the same name may be of any origin.
std::string mixedSlicesText(const std::filesystem::path& folder, const std::string& name, RowRange slices,
                            const std::string& madeOf);

} // namespace engine
