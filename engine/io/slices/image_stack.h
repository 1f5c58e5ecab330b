// SPDX-License-Identifier: GPL-3.0-or-later
// Writes images of different settings as one stack: an HDF5 file with the varied values as axes, or a folder of TIFFs.
#pragma once

#include "engine/data/volume.h"
#include "engine/io/files/created_folders.h"
#include "engine/io/files/pending_file.h"
#include "engine/io/files/protected_inputs.h"
#include "engine/io/hdf5/hdf5_output.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine
{

// What varies along one dimension of the stack.
struct StackAxis {
    std::string name, unit;
    std::vector<std::string> values;
};

// FILE.h5: /entry/data (NXdata), also /entry/reconstruction/results, whose data set "data" has a dimension for each
// axis, or one for all of them if they vary together, and the rows and columns of the images. Numbers along an axis are
// stored as such; words as their positions, with the words as the attribute "values". Images that weren't written are
// NaN. Any other path: a folder with a TIFF for each image, which are final as soon as they are written.
class ImageStack
{
  public:
    // Throws Error(output) if the output exists and `overwrite` is false, can't be created, or is a folder with other
    // images; Error(badRequest) for
    // the name of another format.
    ImageStack(const std::filesystem::path& path, std::vector<StackAxis> axes, bool varyTogether, bool overwrite,
               const ProtectedInputs& inputs);
    ~ImageStack(); // removes an incomplete file

    // Writes a slice of an image. place: its position along each axis. All images have the same size. Throws
    // Error(output).
    void write(std::span<const std::size_t> place, const Volume& image, int slice, const std::string& unit);

    // description: JSON of what was varied, stored with the images as /entry/reconstruction/configuration. Its key
    // "firstSlice" makes the images slices of a volume. Returns whether there is an output: none without an image.
    // Throws Error(output).
    bool finish(const std::string& description);

  private:
    void begin(const Volume& image, const std::string& unit);
    std::vector<long long> startOf(std::span<const std::size_t> place) const;
    std::string tiffName(std::span<const std::size_t> place) const;

    std::filesystem::path m_path;
    std::vector<StackAxis> m_axes;
    bool m_together, m_overwrite;
    const ProtectedInputs& m_inputs;
    std::unique_ptr<PendingFile> m_pending; // of an HDF5 file
    std::unique_ptr<Hdf5Output> m_file;
    std::unique_ptr<MadeFolders> m_folder; // of TIFFs
    std::vector<long long> m_shape;        // with rows and columns; empty until the first image
};

} // namespace engine
