// Projections as pages of one TIFF file, or as the files of a folder.
#pragma once

#include <filesystem>

namespace engine
{

// Whether it is a TIFF file with one image: a sinogram (OpenOptions::sinogram), or one projection of many.
bool isSingleTiff(const std::filesystem::path& path);

} // namespace engine
