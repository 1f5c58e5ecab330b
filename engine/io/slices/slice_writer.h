// SPDX-License-Identifier: GPL-3.0-or-later
// Writes reconstructed slices: TIFFs or one HDF5 file, under temporary names, renamed when complete.
#pragma once

#include "engine/io/files/output_format.h"
#include "engine/io/files/pending_file.h"
#include "engine/io/files/protected_inputs.h"
#include "engine/reconstruct/reconstruction.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace engine
{

// Reads a TIFF of one page; values that were written as whole numbers of a range are taken back. Throws Error(badFile).
Volume readTiffImage(const std::filesystem::path& path);

// One image as a 32-bit float TIFF; never over an existing file unless `overwrite`, never over an input. unit: of what
// is known to be a slice.
void writeTiffImage(const std::filesystem::path& path, const Volume& image, int slice, bool overwrite,
                    const ProtectedInputs& inputs, const std::string& unit = {}, const SliceFacts& facts = {});

// Likewise, but it gets its name when it is committed.
std::unique_ptr<PendingFile> pendingTiffImage(const std::filesystem::path& path, const Volume& image, int slice,
                                              bool overwrite, const ProtectedInputs& inputs,
                                              const std::string& unit = {}, const SliceFacts& facts = {});

// What is stored with slices that are all there: an HDF5 file's configuration, or {"madeOf": …} as all the TIFFs of a
// folder say it. Empty where some are missing or say nothing.
std::string storedConfiguration(const std::filesystem::path& path, const std::string& name, RowRange slices);

enum class OutputKind { tiff, hdf5, folder };
OutputKind outputKindOf(const std::filesystem::path& path); // .tif(f); .h5, .hdf5, .hdf, .nxs; any other name

// A name that a user gives: a suffix that begins with a letter and is none of these was meant for a format that isn't
// written, not for a folder ("volume.nrrd"). A folder that exists, or a name that ends with a slash, may have any.
// Throws Error(badRequest), also for "-".
void requireOutputName(const std::string& name);

// The slices of an output that one of several processes writes. The first one begins the output and gives it its name;
// the others join it, which takes a file system that all of them see.
struct OutputPart {
    RowRange all;    // slices of the output; the writer's own are some of them
    int process = 0; // the first is 0
    int processes = 1;
    std::string begun = {};               // what the first one's begin() said; of the others
    std::optional<RowRange> pairsOf = {}; // the writer's slices are counted in pairs of these (Place::pairsOf)
};

using DescribeSlice = std::function<SliceFacts(const Reconstruction& part, int slice)>; // for its TIFF; by any thread

// Slices in the order they come, chunk by chunk; nothing stands under the final name until finish().
// FILE.tif(f): one slice; FILE.h5: all slices, /entry/reconstruction/results/data and a link
// /exchange/data with @axes="z:y:x", with program, version, date and the whole request; any other
// path: a folder of NAME_%05d.tiff, numbered by slice. Whole numbers of a range have @scale_factor and @add_offset
// there (value = stored · scale_factor + add_offset), and say so in a TIFF's description.
class SliceWriter
{
  public:
    // Throws Error(output) when it exists and overwrite is false, is one of the inputs or would lie among
    // them, or the folder can't be written.
    //
    // identity: JSON of all that the slices depend on; empty: what isn't finished is removed. With it what is complete
    // is kept, group by group, for the next writer with the same one, which begins after it (volume_journal.h). Throws
    // Error(badRequest) where that can't be: of one slice, of compressed HDF5, where something is to be replaced, or of
    // another identity. Without it finish() removes what other runs have kept of the slices that it has written. Throws
    // Error(output) where another program is writing them. pairsOf: as in Place.
    SliceWriter(const std::filesystem::path& path, const std::string& name, RowRange slices, bool overwrite,
                const ProtectedInputs& inputs, const OutputFormat& format = {}, DescribeSlice describe = {},
                const std::string& identity = {}, const std::optional<RowRange>& pairsOf = {});
    // One of several processes: likewise, but what was kept is gone on with, or named, once all have joined (goOn).
    SliceWriter(const std::filesystem::path& path, const std::string& name, RowRange slices, bool overwrite,
                const ProtectedInputs& inputs, const OutputFormat& format, DescribeSlice describe,
                const std::string& identity, const OutputPart& part);
    ~SliceWriter(); // removes what was not finished, or keeps it
    SliceWriter(const SliceWriter&) = delete;
    SliceWriter& operator=(const SliceWriter&) = delete;

    bool wasNamed() const; // all was written by an earlier one, and had its names given now: nothing is left to do
    int done() const;      // slices that needn't be made: an earlier writer did; before the first is written

    // By all threads of the task arena that it is called in. Throws Error(output), e.g. a full disk, and
    // Error(cancelled), asking every few megabytes.
    void write(const Reconstruction& part, std::stop_token stop = {});
    void finish(const std::string& configurationJson);

    // Of several processes. The first one: makes what the others write into; what they have to know of it.
    std::string begin(int width, int height, const std::string& unit);
    // All have joined. wasNamed: of any of them, whose names are still to be given, by place() and keep().
    void goOn(bool wasNamed);
    // In place of finish(), each when all have done the one before. The configuration is the first one's to write, and
    // of compressed HDF5 what the others have in their chunkFiles(). Throws Error(output), Error(cancelled).
    void complete(const std::string& configurationJson, std::span<const std::string> chunkFiles = {},
                  const std::stop_token& stop = {});
    std::string chunkFile() const; // of one that has joined, when it is complete; "" where there is none
    void place();                  // the names; taken back unless kept. Throws Error(output)
    void keep();

    // Before finish(): what to say of a folder in which slices are replaced, and others of that name are not; or "".
    std::string olderSlices() const;
    Text unfinished() const;   // what to say of what others have left of this output (stale_files.h), or ""
    long long changed() const; // values that the format could not hold (output_format.h)

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
