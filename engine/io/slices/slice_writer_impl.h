// SPDX-License-Identifier: GPL-3.0-or-later
// Implementation of SliceWriter, shared by slice_writer*.cpp.
#pragma once

#include "engine/io/files/checksum.h"
#include "engine/io/files/created_folders.h"
#include "engine/io/files/file_region.h"
#include "engine/io/hdf5/chunk_file.h"
#include "engine/io/hdf5/hdf5_output.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/volume_journal.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

struct SliceWriter::Impl {
    std::filesystem::path path;
    SliceNames names{""};
    RowRange slices; // of this writer
    OutputPart part;
    OutputKind kind;
    OutputFormat format;
    std::string unit;
    DescribeSlice describe;
    std::atomic<long long> changed = 0;
    int written = 0;
    bool isStarted = false;
    int height = 0, width = 0;
    std::vector<std::filesystem::path> unfinished;   // stale temporary files of other runs
    std::unique_ptr<MadeFolders> folders;            // destroyed, and so removed, after the files in them
    std::vector<std::unique_ptr<PendingFile>> files; // one per slice, or a single one
    std::unique_ptr<Hdf5Output> hdf5;                // closed before its file is removed
    std::unique_ptr<FileRegion> region;              // the slices in the HDF5 file
    std::optional<ChunkFile> chunks;                 // compressed chunks that the first process gathers
    long long offset = -1;                // where the slices begin in the HDF5 file, in bytes; −1: not known
    std::optional<VolumeJournal> journal; // of the stored slices, if the run can be resumed
    std::unique_ptr<VolumeJournal> left;  // of an interrupted run, locked while this one writes
    std::string damaged;                  // warning about stored slices that have changed; or ""
    std::filesystem::path into;           // the HDF5 file that the slices are written to
    std::unique_ptr<PendingFile> seen;    // shows other processes that they see the same folder
    std::unique_ptr<PlacedFiles> placed;  // undoes the renaming before the files are removed
    // wasNamed: an earlier run has written all slices, only the renaming was missing; isKept: the HDF5 file of an
    // earlier run is continued.
    bool wasNamed = false, isKept = false;

    ~Impl();
    std::vector<std::filesystem::path> discard(bool keepsSlices); // returns the files that can't be removed

    static constexpr const char* data = "/entry/reconstruction/results/data";

    Place next(int count) const; // the next `count` slices
    int sliceAt(int k) const;    // number in the scan of this writer's k-th slice
    // For each slice of an image with the next `count` slices: its position among this writer's slices.
    std::vector<int> order(int count) const;
    void start(int imageWidth, int imageHeight, const std::string& imageUnit);
    void join(const ProtectedInputs& inputs, bool overwrite, const std::string& identity);
    void startHdf5();
    void writeRegion(const Volume& image, const std::stop_token& stop);
    void writeRun(RowRange run, std::span<const float> values, const std::stop_token& stop);
    void writeChunks(const Volume& image, const std::stop_token& stop);
    int chunksOfASlice() const;
    void writeChunk(long long chunk, std::span<const std::byte> deflated);
    void takeChunks(std::span<const std::string> files, const std::stop_token& stop);
    void writeTiffs(const Reconstruction& part, const std::stop_token& stop);
    std::filesystem::path journalPath() const;
    static void requireResumable(const std::filesystem::path& path, OutputKind kind, bool overwrite,
                                 const OutputFormat& format);
    void openKept(const ProtectedInputs& inputs, const std::string& identity);
    void requireNoOrphans(const std::vector<std::filesystem::path>& outputs) const;
    FilePart keptPart(int k, const KeptGroup& group) const; // where this writer's k-th slice is stored
    bool isIntact(int k, const KeptGroup& group, std::size_t inGroup) const;
    void takeIntact();
    void emptyOthers() const;
    // Throws Error(output) if a file with stored slices is too short. room: the slices that an HDF5 file must have room
    // for; not set: the file is new, so that it can't have stored slices.
    void requireKept(std::optional<int> room) const;
    void keep(const Reconstruction& part, long long changedBefore);
    std::vector<std::filesystem::path> removeKept(bool keepsSlices);
    std::vector<std::filesystem::path> leftJournals() const;
    enum class Reach { all, some, none };
    Reach reachOfLeft() const; // how many of the interrupted run's slices this run writes
    Text leftText() const;
    void removeLeft() const;
    void placeAll();
    void keepAll();
    void commitAll();
    void complete(const VolumeDescription& description, std::span<const std::string> chunkFiles,
                  const std::stop_token& stop);
    void finishHdf5(const VolumeDescription& description);
};

} // namespace engine
