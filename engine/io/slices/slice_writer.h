// SPDX-License-Identifier: GPL-3.0-or-later
// Writes reconstructed slices: TIFFs or one HDF5 file, under temporary names, renamed when complete.
#pragma once

#include "engine/io/files/output_format.h"
#include "engine/io/files/pending_file.h"
#include "engine/io/files/protected_inputs.h"
#include "engine/io/slices/slice_names.h"
#include "engine/io/slices/volume_description.h"
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

// Reads a TIFF of one page; values that were stored as whole numbers of a range are converted back. Throws
// Error(badFile).
Volume readTiffImage(const std::filesystem::path& path);

// Writes slice `slice` of an image as a 32-bit float TIFF. Never replaces an existing file unless `overwrite` is set,
// and never an input. unit: of the values, if the image is known to be a slice. Throws Error(output), and
// Error(badRequest) if the image has no such slice.
void writeTiffImage(const std::filesystem::path& path, const Volume& image, int slice, bool overwrite,
                    const ProtectedInputs& inputs, const std::string& unit = {}, const SliceFacts& facts = {});

// Does the same, but the file gets its name only when it is committed.
std::unique_ptr<PendingFile> pendingTiffImage(const std::filesystem::path& path, const Volume& image, int slice,
                                              bool overwrite, const ProtectedInputs& inputs,
                                              const std::string& unit = {}, const SliceFacts& facts = {});

// Returns the configuration that is stored with complete slices: that of an HDF5 file, or {"madeOf": …, "warnings":
// […]} if all TIFFs of a folder are made of the same. Empty if slices are missing, or if a TIFF has none or another
// one.
std::string storedConfiguration(const std::filesystem::path& path, const SliceNames& names, RowRange slices);

// Returns how many slices of an interrupted run are stored for the next one.
int storedSlices(const std::filesystem::path& path, const SliceNames& names);

enum class OutputKind { tiff, hdf5, folder };
OutputKind outputKindOf(const std::filesystem::path& path); // .tif(f); .h5, .hdf5, .hdf, .nxs; any other name

// Checks an output name given by the user. An unknown suffix that begins with a letter ("volume.nrrd") is interpreted
// as a format that isn't written, not as a folder's name; only an existing folder, or a name that ends with a slash,
// may have such a suffix. Throws Error(badRequest), also for an empty name and "-".
void requireOutputName(const std::string& name);

// One process's part of an output that several processes write. The first process creates the output and gives it its
// name; the others join it. All processes must see the same file system.
struct OutputPart {
    RowRange all;    // all slices of the output, including those of the other processes
    int process = 0; // 0: the first process
    int processes = 1;
    std::string begun = {};               // for the others: the result of begin() on the first process
    std::optional<RowRange> pairsOf = {}; // set: the writer's slices are numbered as in Place::pairsOf
};

// Returns the facts that a slice's TIFF stores. Called by any thread.
using DescribeSlice = std::function<SliceFacts(const Reconstruction& part, int slice)>;

// Writes slices in the order in which they come; nothing has the final name until finish().
// FILE.tif(f): one slice; FILE.h5: all slices, in the NeXus group /entry/data with the positions of the voxels, which
// is also /entry/reconstruction/results; a link /exchange/data with @axes="z:y:x"; program, version, date and the whole
// request; any other path: a folder of TIFFs (slice_names.h). Whole numbers of a range have @scale_factor
// and @add_offset in HDF5 (value = stored · scale_factor + add_offset); in TIFF the description states the range.
class SliceWriter
{
  public:
    // Throws Error(output) if the output exists and `overwrite` is false, if it is one of the inputs or would lie among
    // them, if the folder can't be written, or if another program is writing these slices.
    //
    // identity: JSON of everything that the slices depend on. If it is given, complete slices stay stored after an
    // interruption, group by group, and the next writer with the same identity continues after them (volume_journal.h).
    // Throws Error(badRequest) if that is impossible: for a TIFF of one slice, for compressed HDF5, with `overwrite`,
    // or if the stored slices have another identity. If it is empty, an incomplete output is removed, and finish()
    // removes the slices stored by interrupted runs that this writer has written itself. pairsOf: as in Place.
    SliceWriter(const std::filesystem::path& path, const SliceNames& names, RowRange slices, bool overwrite,
                const ProtectedInputs& inputs, const OutputFormat& format = {}, DescribeSlice describe = {},
                const std::string& identity = {}, const std::optional<RowRange>& pairsOf = {});
    // For one of several processes. Does the same, but the stored slices are used only after all processes have joined:
    // see goOn().
    SliceWriter(const std::filesystem::path& path, const SliceNames& names, RowRange slices, bool overwrite,
                const ProtectedInputs& inputs, const OutputFormat& format, DescribeSlice describe,
                const std::string& identity, const OutputPart& part);
    ~SliceWriter(); // discards an incomplete output, unless a later run can continue it
    SliceWriter(const SliceWriter&) = delete;
    SliceWriter& operator=(const SliceWriter&) = delete;

    // Whether an earlier run had written all slices, so that only files had to be renamed: nothing is left to do.
    bool wasNamed() const;
    int done() const; // number of complete slices; before the first write(): those of an earlier run
    std::vector<std::string> warnings() const; // of the runs that made the complete slices; each once

    // Writes the next slices, with all threads of the task arena of the caller. Throws Error(output), e.g. for a full
    // disk; Error(cancelled), checked every few megabytes; Error(badRequest) if the slices don't fit.
    void write(const Reconstruction& part, std::stop_token stop = {});
    void finish(const VolumeDescription& description);

    // For several processes, called on the first one: creates the file or folder that the others write into. Returns
    // what they need to know about it (OutputPart::begun).
    std::string begin(int width, int height, const std::string& unit);
    // Called when all processes have joined: continues after the stored slices. wasNamed: true if wasNamed() is true on
    // any process; then only place() and keep() are left to do.
    void goOn(bool wasNamed);
    // With several processes, complete(), place() and keep() replace finish(); each is called when all processes have
    // done the previous one. The first process writes the description and, in compressed HDF5, the chunks of the
    // other processes: chunkFiles has the chunkFile() of each. Throws Error(output), Error(cancelled).
    void complete(const VolumeDescription& description, std::span<const std::string> chunkFiles = {},
                  const std::stop_token& stop = {});
    std::string chunkFile() const; // of a process that has joined, after complete(); "" if there is none
    void place();                  // renames the files; undone unless keep() follows. Throws Error(output)
    void keep();

    // Removes the temporary files now; the object can't be used any more. keepsSlices: whether a later run may continue
    // after the finished slices. Returns a warning about files that can't be removed, else "".
    Text discard(bool keepsSlices);

    // Before finish(): returns a note if slices in the folder are replaced while others of that name stay; else "".
    std::string olderSlices() const;
    // Returns a warning about what earlier runs have left of this output: stored slices, which may have changed, and
    // stale temporary files (stale_files.h); else "".
    Text unfinished() const;
    long long changed() const; // values that the format could not hold (output_format.h)

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
