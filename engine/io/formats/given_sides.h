// SPDX-License-Identifier: GPL-3.0-or-later
// Darks and flats that the user names, in files of any kind.
#pragma once

#include "engine/io/frames/frame_source.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace engine
{

// Reads a TIFF file, a folder of TIFFs, a NumPy array, or a data set of an HDF5 file: "FILE:/data/set", or "FILE" if
// one data set has frames of this size. None for an empty path. Throws Error(badFile) if the size differs from the
// projections' (`like` names those), badRequest if several data sets fit.
FrameSource givenSides(const std::filesystem::path& path, int rows, int bins, const std::string& like,
                       const std::stop_token& stop);

// Returns one flat frame: each bin has the value that a ray through air alone would give.
FrameSource whiteFrame(double white, int bins);

// The same for a NumPy array of frames by rows by bins, or of one frame.
FrameSource npySides(const std::filesystem::path& file, int rows, int bins, const std::string& like);
bool isNpy(const std::filesystem::path& file);

} // namespace engine
