// SPDX-License-Identifier: GPL-3.0-or-later
// Images of slices that somebody has reconstructed, as they stand in files: TIFFs, or a data set of HDF5 as Sinoscope,
// nabu, tomopy, tomocupy and others write them.
#pragma once

#include "engine/data/volume.h"
#include "engine/io/files/output_format.h"
#include "engine/io/files/file_states.h"
#include "engine/io/files/slices_path.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine
{

struct StoredSlice {
    Volume image;        // one slice; values as they stand in the file, scale and offset of its numbers applied
    bool isOnly = false; // the file has no other and doesn't say which it is: it stands for any
    std::optional<int> recordedSlice; // that the file says it is, in what Sinoscope wrote
    std::string byName; // the file, where nothing but the order of the names in a folder chose it; else empty
    std::string unit;   // "1/mm", "1/cm", …; empty where the file doesn't say
    PixelSize pixel;    // likewise
    std::string axes;              // "y:z:x", where that was guessed by the size of the slices; else empty
    FileStates files = {};         // that it was read from, as they were
};

// One slice, and nothing else of the file. slice: of the scan, whose row k is slice k of the file unless that says
// where it begins; none: the file must have only one. fitting: sizes, any of which will do and the first of which is
// named when none does; empty: any. They also tell data sets apart. Throws Error(badFile) that names the file, what it
// has and what is wanted.
StoredSlice readSlice(const SlicesPath& path, std::optional<int> slice = {}, std::span<const SliceSize> fitting = {});

// Those of an HDF5 file that readSlice would choose from; none in other files. Throws Error(badFile).
std::vector<std::string> datasetsThatFit(const std::filesystem::path& file, std::span<const SliceSize> fitting);

} // namespace engine
