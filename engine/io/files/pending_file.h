// SPDX-License-Identifier: GPL-3.0-or-later
// A temporary file: it stands beside its final path until it is complete, then it is renamed.
#pragma once

#include "engine/io/files/exit_cleanup.h"
#include "engine/io/files/protected_inputs.h"

#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

namespace engine
{

class PendingFile
{
  public:
    // Creates an empty file under the temporary name beside the final path; if that is a symbolic link, beside the
    // link's target. Throws Error(output) if a file exists at the final path and overwrite is false; if the path is
    // one of the inputs, a link whose target is missing, or anything but an ordinary file; or if the folder is missing
    // or can't be written. Removes stale temporary files of the same output that killed programs have left, unless
    // `clear` is false: the caller then creates many files and clears their folder once for all of them.
    PendingFile(const std::filesystem::path& path, bool overwrite, const ProtectedInputs& inputs, bool clear = true);
    // Uses the temporary name `keptAs`, beside the path. That file may exist from an earlier run, and it stays if
    // commit() isn't called (volume_journal.h). commit() never replaces a file. Throws Error(output), also if the file
    // `keptAs` isn't this user's own (exclusive_file.h).
    PendingFile(const std::filesystem::path& path, const ProtectedInputs& inputs, const std::filesystem::path& keptAs);
    ~PendingFile(); // removes the uncommitted file, or the file that was replaced, unless its name can't be given back
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const std::filesystem::path& temporary() const { return m_temporary; }
    const std::filesystem::path& path() const { return m_path; }
    bool replaces() const; // whether there is a file at the final path
    // Stale files of other programs (stale_files.h).
    const std::vector<std::filesystem::path>& unfinished() const { return m_unfinished; }

    void store() const; // flushes what was written so far to the disk. Throws Error(output)
    // Flushes the file to the disk and renames it. Throws Error(output).
    void commit();
    // Removes the file with the temporary name, as the destructor does. Returns why it stays, if it does.
    std::error_code removeTemporary() noexcept;
    // Renames all files or none: after a failure, replaced files are restored. Uses all threads of the arena.
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
    // exchanged: the temporary name has the replaced file.
    enum class State { pending, placed, exchanged } m_state = State::pending;
    bool m_committed = false;
    std::optional<RemovedAtExit> m_leftover; // last member: destroyed first
};

// Files that have been renamed to their final names. The destructor undoes the renaming unless keep() was called. Until
// keep() or the destructor, the clean-up at the end of the process (exit_cleanup.h) has to wait. To be used by one
// thread.
class PlacedFiles
{
  public:
    // Flushes and renames the files. Throws Error(output); then none is renamed, but those that the message names.
    explicit PlacedFiles(std::span<PendingFile* const> files);
    ~PlacedFiles();
    PlacedFiles(const PlacedFiles&) = delete;
    PlacedFiles& operator=(const PlacedFiles&) = delete;
    void keep();

  private:
    void takeBack() noexcept;
    Text leftRenamed() const;

    std::vector<PendingFile*> m_files;
    bool m_kept = false;
    std::unique_lock<std::timed_mutex> m_held;
};

// Follows symbolic links to the end; returns the path itself if it isn't a link. Throws Error(output) if the target
// is missing or the links form a loop.
std::filesystem::path followed(const std::filesystem::path& path);

} // namespace engine
