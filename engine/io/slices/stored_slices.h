// SPDX-License-Identifier: GPL-3.0-or-later
// Reconstructed slices, read from files: TIFFs, matrices of MATLAB, or a data set of HDF5 as Sinoscope, nabu, tomopy,
// tomocupy and others write them.
#pragma once

#include "engine/base/error.h"
#include "engine/data/volume.h"
#include "engine/io/files/file_states.h"
#include "engine/io/files/output_format.h"
#include "engine/io/files/slices_path.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine
{

struct StoredSlice {
    Volume image;                     // one slice, with scale and offset of the file's numbers applied
    bool isOnly = false;              // the file has no other slice and doesn't specify which it is: it may be any
    std::optional<int> recordedSlice; // the slice that the file claims to be
    std::string recordedPlane;        // or the plane, as planeFromText() reads it; empty: none
    std::string byName;               // the file, if only the order of names in a folder chose it; else empty
    std::string unit;                 // "1/mm", "1/cm", …; empty if neither the path nor the file specifies it
    PixelSize pixel;                  // empty if not specified
    std::string axes;                 // "y:z:x", if guessed from the size of the slices; else empty
    FileStates files = {};            // the files that it was read from
};

// The slices of a file have another size than those to compare with. The file is in order: badRequest.
class SizeMisfit : public Error
{
  public:
    SizeMisfit(const Text& message, SliceSize ofFile) : Error(ErrorKind::badRequest, message), m_ofFile(ofFile) {}
    SliceSize ofFile() const noexcept { return m_ofFile; }

  private:
    SliceSize m_ofFile;
};

// Reads one slice, and nothing else of the file. slice: its number in the scan. Row k of the scan is slice k of the
// file, unless the file specifies where it begins. Without a number, the file must have only one slice. fitting: the
// accepted sizes, the first of which is named if none fits; empty: any size. They also select among data sets. Throws
// Error(badFile) that names the file, what it has and what is needed; SizeMisfit if all its slices have another size.
StoredSlice readSlice(const SlicesPath& path, std::optional<int> slice = {}, std::span<const SliceSize> fitting = {});

// The slices of a file that is examined once, for those who read many of them.
class StoredSlices
{
  public:
    // As readSlice().
    explicit StoredSlices(const SlicesPath& path, std::span<const SliceSize> fitting = {});
    ~StoredSlices();
    StoredSlices(const StoredSlices&) = delete;
    StoredSlices& operator=(const StoredSlices&) = delete;

    const std::vector<int>& numbers() const;               // of the slices in the scan, in the order of the file
    StoredSlice read(std::optional<int> slice = {}) const; // as readSlice(); may be called from any thread

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

// Returns the data sets of an HDF5 file, or the arrays of a MATLAB file, that readSlice() would choose from; none for
// other files. Throws Error(badFile).
std::vector<std::string> datasetsThatFit(const std::filesystem::path& file, std::span<const SliceSize> fitting);

} // namespace engine
