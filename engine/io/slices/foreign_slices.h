// SPDX-License-Identifier: GPL-3.0-or-later
// Other slices in the folder that slices are to be written to.
#pragma once

#include "engine/io/slices/slice_names.h"
#include "engine/scan/geometry.h"

#include <filesystem>
#include <string>

namespace engine
{

// Returns a warning, a sentence, if the folder has TIFFs of other volumes, or slices of the same name that were
// reconstructed from another scan or with other settings: programs that read the folder would merge them into one
// volume; "" if it has none. Other planes beside a plane raise none. madeOf: JSON of the scan and the settings of the
// slices to be written, which is stored with them; "": slices of the same name raise no warning, whatever they were
// reconstructed from.
std::string mixedSlicesText(const std::filesystem::path& folder, const SliceNames& names, RowRange slices,
                            const std::string& madeOf);

} // namespace engine
