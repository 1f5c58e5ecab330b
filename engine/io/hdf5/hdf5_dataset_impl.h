// SPDX-License-Identifier: GPL-3.0-or-later
// Shared state of an open data set.
#pragma once

#include "engine/io/check/helper_session.h"
#include "engine/io/hdf5/chunk_blocks.h"
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/hdf5/hdf5_questions.h"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

struct Hdf5Dataset::Impl : std::enable_shared_from_this<Hdf5Dataset::Impl> {
    std::shared_ptr<HelperSession> session;
    DatasetFacts facts;
    std::shared_ptr<const InputFile> chunkFile;                                         // null without chunks
    mutable std::mutex mutex;                                                           // of what follows
    mutable std::map<long long, std::shared_ptr<const std::vector<ChunkPlace>>> places; // by number of the range
    mutable std::optional<std::optional<StoredNumbers>> numbers; // unset until they are asked for
    mutable std::vector<std::optional<FileIdentity>> filesThen;  // when the places were last looked up
    mutable long long moves = 0;                                 // how often chunks have moved since it was opened

    Parcel ask(HelperQuestion question, const Parcel& more = {}) const
    {
        return session->ask(question, facts.file, facts.path, more);
    }
    long long chunks() const;                                      // in all
    long long numberOf(const std::vector<long long>& start) const; // of the chunk there, in row-major order
    ChunkPlace placeOf(long long chunk) const;
    std::shared_ptr<const std::vector<ChunkPlace>> placesOfRange(long long range) const; // asked for anew
    long long layout() const;
    std::vector<std::optional<FileIdentity>> filesNow() const;
    void requireLengths() const;         // of its first chunks
    const StoredNumbers* stored() const; // null unless its numbers are stored as they are

    // Read a block, converted to float or double. Throw Error(badFile).
    template <typename T>
    void read(const NumberBlock& block, T* out) const;
    template <typename T>
    void readByChunks(const NumberBlock& block, T* out) const;
    template <typename T>
    void readByRuns(const StoredNumbers& numbers, const NumberBlock& block, T* out) const;
    template <typename T>
    void readStretch(const StoredNumbers& numbers, long long first, long long count,
                     std::map<std::filesystem::path, std::shared_ptr<const InputFile>>& files, T* out) const;
    template <typename T>
    void readByLibrary(const NumberBlock& block, T* out) const;
};

// Opens a data set of a file of the session. Throws Error(badFile).
Hdf5Dataset openDataset(const std::shared_ptr<HelperSession>& session, const std::filesystem::path& file,
                        const std::string& path);

// Where a decoder finds the chunks of a data set.
ChunkStore storeOf(const Hdf5Dataset& dataset);

} // namespace engine
