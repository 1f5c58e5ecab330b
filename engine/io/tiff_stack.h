// Frames in TIFF files: stacks, folders, sinograms.
#pragma once

#include "engine/io/frame_rows.h"

#include <filesystem>
#include <string>

namespace engine
{

bool isTiff(const std::filesystem::path& file); // by its first bytes

// Scans. Throw Error(badFile), badRequest for options that don't fit.
Scan openTiffFile(const std::filesystem::path& file, const OpenOptions& options);
Scan openTiffFolder(const std::filesystem::path& folder, const OpenOptions& options);

// Darks or flats that the user names: a TIFF file or a folder of them; nothing for an empty path.
// Throws Error(badFile) when their size differs from the projections' (`like` names those).
FrameSource tiffFrames(const std::filesystem::path& path, int rows, int bins, const std::string& like);

// angles.txt in one of the folders when it has one angle per projection, else even angles from 0 to
// 180° without the end (anglesAssumed); a note of the scan says which.
std::vector<double> anglesBeside(const std::vector<std::filesystem::path>& folders, int projections, Scan& scan);

} // namespace engine
