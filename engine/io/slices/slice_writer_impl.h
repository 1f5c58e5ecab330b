// SPDX-License-Identifier: GPL-3.0-or-later
// What a SliceWriter is made of, for the files that implement it (slice_writer*.cpp). Nobody else includes it.
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

std::string numberedSlice(const std::string& name, int slice);          // "tooth_00012.tiff"
bool isNumberedSlice(const std::string& file, const std::string& name); // whether a file is called so

struct SliceWriter::Impl {
    std::filesystem::path path;
    std::string name;
    RowRange slices; // this writer's
    OutputPart part;
    OutputKind kind;
    OutputFormat format;
    std::string unit;
    DescribeSlice describe;
    std::atomic<long long> changed = 0;
    int written = 0;
    bool isStarted = false;
    int height = 0, width = 0;
    std::vector<std::filesystem::path> unfinished;   // files that others have left
    std::unique_ptr<MadeFolders> folders;            // removed after the files in them
    std::vector<std::unique_ptr<PendingFile>> files; // one per slice, or one
    std::unique_ptr<Hdf5Output> hdf5;                // closed before its file is removed
    std::unique_ptr<FileRegion> region;              // where the slices are in it
    std::optional<ChunkFile> chunks;                 // for the first process to take
    long long offset = -1;                           // likewise
    std::optional<VolumeJournal> journal;            // of what is kept
    std::unique_ptr<VolumeJournal> left;             // of an interrupted run, locked while this one writes
    std::string damaged;                             // what to say of slices that had been kept
    std::filesystem::path into;                      // HDF5: the file that the slices go into
    std::unique_ptr<PendingFile> seen;               // by which other processes know that they see the same folder
    std::unique_ptr<PlacedFiles> placed;             // taken back before they are removed
    bool wasNamed = false, isKept = false;           // what other writers have left: to be named; begun

    ~Impl();

    static constexpr const char* data = "/entry/reconstruction/results/data";

    Place next(int count) const;             // after those that are written
    int sliceAt(int k) const;                // of the scan, the k-th that is written
    std::vector<int> order(int count) const; // of the next ones in an image, which is how manieth of all
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
    FilePart keptPart(int k, const KeptGroup& group) const; // the k-th that is written, where it is kept
    bool isIntact(int k, const KeptGroup& group, std::size_t inGroup) const;
    void takeIntact();
    void emptyOthers() const;
    // HDF5: the kept file has room for so many slices; nothing: for none.
    void requireKept(std::optional<int> room) const;
    void keep(const Volume& image, long long changedBefore);
    void removeEmptyKept();
    std::vector<std::filesystem::path> leftJournals() const;
    enum class Reach { all, some, none };
    Reach reachOfLeft() const; // which of the slices that another run was asked for are written
    Text leftText() const;
    void removeLeft() const;
    void placeAll();
    void keepAll();
    void commitAll();
    void complete(const std::string& configurationJson, std::span<const std::string> chunkFiles,
                  const std::stop_token& stop);
    void finishHdf5(const std::string& configurationJson);
};

} // namespace engine
