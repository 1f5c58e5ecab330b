// SPDX-License-Identifier: GPL-3.0-or-later
// A file on its way: stands under a temporary name beside its final one until it is complete.
#pragma once

#include "engine/io/files/exit_cleanup.h"
#include "engine/io/files/protected_inputs.h"

#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace engine
{

class PendingFile
{
  public:
    // Makes an empty file under the temporary name, beside the file that links lead to. Throws Error(output): the
    // final name exists and overwrite is false, or is no ordinary file, a link to nothing or one of the inputs; the
    // folder is missing or can't be written. What programs that were killed have left of the same output is removed;
    // unless `clear` is false, for a file of many, whose folder is looked at once.
    PendingFile(const std::filesystem::path& path, bool overwrite, const ProtectedInputs& inputs, bool clear = true);
    // One that stands under `keptAs` beside it, perhaps from an earlier run, until it is committed, and stays there
    // otherwise (volume_journal.h). Nothing is replaced. Throws Error(output), also where what stands there isn't this
    // user's own (exclusive_file.h).
    PendingFile(const std::filesystem::path& path, const ProtectedInputs& inputs, const std::filesystem::path& keptAs);
    ~PendingFile(); // removes what was not committed, or what it replaced
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const std::filesystem::path& temporary() const { return m_temporary; }
    const std::filesystem::path& path() const { return m_path; }
    bool replaces() const;                                                                // a file that stands there
    const std::vector<std::filesystem::path>& unfinished() const { return m_unfinished; } // others' (stale_files.h)

    void store() const; // what it has so far, on the disk, for good. Throws Error(output)
    // Stores it and gives it its name. Throws Error(output).
    void commit();
    // All get their names or none does: what was replaced comes back. By all threads of the arena.
    static void commit(std::span<PendingFile* const> files);

  private:
    friend class PlacedFiles;
    void requireName() const;
    void requireFree() const;
    void place();
    void takeBack() noexcept;
    static void remove(void* pendingFile) noexcept;

    std::filesystem::path m_path, m_temporary;
    std::vector<std::filesystem::path> m_unfinished;
    bool m_overwrite;
    bool m_isKept = false;
    enum class State { pending, placed, exchanged } m_state = State::pending; // exchanged: the former is the temporary
    bool m_committed = false;
    std::optional<RemovedAtExit> m_leftover; // last: goes first
};

// Files that have got their names, and lose them again unless they are kept; what is done when a program ends waits for
// that. By one thread.
class PlacedFiles
{
  public:
    explicit PlacedFiles(std::span<PendingFile* const> files); // stores them. Throws Error(output); none is placed then
    ~PlacedFiles();
    PlacedFiles(const PlacedFiles&) = delete;
    PlacedFiles& operator=(const PlacedFiles&) = delete;
    void keep();

  private:
    void takeBack() noexcept;

    std::vector<PendingFile*> m_files;
    bool m_kept = false;
    std::unique_lock<std::timed_mutex> m_held;
};

// Where a link leads in the end; the path itself when it is none. Throws Error(output) where nothing is there, or
// links lead back to each other.
std::filesystem::path followed(const std::filesystem::path& path);

} // namespace engine
