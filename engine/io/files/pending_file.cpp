// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/pending_file.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/remove_file.h"
#include "engine/io/files/creation_error.h"
#include "engine/io/files/exclusive_file.h"
#include "engine/io/files/stale_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <set>
#include <string>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

[[noreturn]] void failToWrite(const fs::path& path, int error, const std::string& hint = "")
{
    throw Error(ErrorKind::output,
                fileText(path.string()) + " can't be written: " + whyNotMade(path, error) + "." + hint);
}

[[noreturn]] void failAsTaken(const fs::path& path, bool isKept)
{
    throw Error(ErrorKind::output, fileText(path.string()) + " exists already. Choose another name, or " +
                                       (isKept ? "remove it: a resumable run overwrites no file" + hint("resume") + "."
                                               : "allow overwriting" + hint("overwrite") + "."));
}

// Flushes the file to the disk. EINVAL and ENOTSUP mean that the file system needs no flushing.
void storeDescriptor(const fs::path& path, int flags)
{
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0)
        failToWrite(path, errno);
    const int failure = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    if (failure != 0 && failure != EINVAL && failure != ENOTSUP)
        failToWrite(path, failure);
}

enum class Renaming { replace, keep, exchange };

// Returns whether the renaming succeeded; if not, errno has the reason.
bool renamed(const fs::path& from, const fs::path& to, Renaming how)
{
#if defined(RENAME_NOREPLACE) && defined(RENAME_EXCHANGE)
    if (how != Renaming::replace)
        return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                           how == Renaming::keep ? RENAME_NOREPLACE : RENAME_EXCHANGE) == 0;
#endif
    if (how == Renaming::replace)
        return std::rename(from.c_str(), to.c_str()) == 0;
    errno = ENOSYS;
    return false;
}

} // namespace

fs::path followed(const fs::path& path)
{
    fs::path at = path;
    std::error_code unreadable;
    for (int links = 0; fs::is_symlink(at, unreadable); ++links) {
        if (links == 40)
            throw Error(ErrorKind::output, fileText(path.string()) +
                                               " is part of a loop of links. Remove the link, or choose another name.");
        const fs::path to = fs::read_symlink(at, unreadable);
        at = to.is_absolute() ? to : at.parent_path() / to;
    }
    if (at != path && !fs::exists(at, unreadable))
        throw Error(ErrorKind::output, fileText(path.string()) + " is a link to " + fileText(at.string()) +
                                           ", which doesn't exist. Name that file itself, or remove the link.");
    return at;
}

PendingFile::PendingFile(const fs::path& path, bool overwrite, const ProtectedInputs& inputs, bool clear)
    : m_path(followed(path)), m_overwrite(overwrite)
{
    requireName();
    inputs.refuse(m_path);
    requireFree();
    const std::string called = m_path.filename().string();
    if (clear)
        m_unfinished = clearUnfinished(
            m_path.parent_path(), [&](const std::string& name) { return name == called || name == seenName(called); });
    m_leftover.emplace(this, &PendingFile::remove);
    for (int attempt = 0;; ++attempt) {
        fs::path temporary = m_path.parent_path() / temporaryName(called, attempt);
        // Without the lock, the clean-up at exit (exit_cleanup.h) could run after the file is created but before
        // m_temporary names it, and would leave the file.
        const auto held = leftoversHeld();
        const int descriptor = ::open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            ::close(descriptor);
            m_temporary = std::move(temporary);
            return;
        }
        if (errno != EEXIST || attempt == 1000)
            failToWrite(path, errno, " Choose a folder that exists and can be written.");
    }
}

PendingFile::PendingFile(const fs::path& path, const ProtectedInputs& inputs, const fs::path& keptAs)
    : m_path(followed(path)), m_temporary(m_path.parent_path() / keptAs), m_overwrite(false), m_isKept(true)
{
    requireName();
    inputs.refuse(m_path);
    requireFree();
    ::close(openOwnFile(m_temporary));
}

void PendingFile::requireName() const
{
    if (!m_path.has_filename())
        throw Error(ErrorKind::output, fileText(m_path.string()) + " is not the name of a file.");
}

PendingFile::~PendingFile()
{
    removeTemporary();
}

// A replaced file stays if it couldn't be given its name back.
std::error_code PendingFile::removeTemporary() noexcept
{
    const bool isOurs = m_state == State::pending || (m_state == State::exchanged && m_committed);
    return isOurs && !m_isKept ? removeFile(m_temporary) : std::error_code();
}

void PendingFile::remove(void* pendingFile) noexcept
{
    auto& file = *static_cast<PendingFile*>(pendingFile);
    if (file.m_temporary.empty())
        return;
    if (!file.m_committed)
        file.takeBack();
    file.removeTemporary();
}

bool PendingFile::replaces() const
{
    std::error_code unreadable;
    return m_state == State::exchanged || (m_state == State::pending && fs::exists(m_path, unreadable));
}

void PendingFile::requireFree() const
{
    std::error_code unreadable;
    const fs::file_status there = fs::status(m_path, unreadable);
    if (!fs::exists(there))
        return;
    if (!fs::is_regular_file(there))
        throw Error(ErrorKind::output, fileText(m_path.string()) + " is not a regular file and is not overwritten.");
    if (!m_overwrite)
        failAsTaken(m_path, m_isKept);
}

void PendingFile::store() const
{
    storeDescriptor(m_temporary, O_WRONLY);
}

void PendingFile::place()
{
    if (m_overwrite && renamed(m_temporary, m_path, Renaming::exchange)) {
        m_state = State::exchanged;
        return;
    }
    if (!m_overwrite) { // a file that was created meanwhile must stay
        if (renamed(m_temporary, m_path, Renaming::keep)) {
            m_state = State::placed;
            return;
        }
        if (errno == EEXIST)
            failAsTaken(m_path, m_isKept);
    }
    requireFree(); // for file systems that support plain renaming only
    if (!renamed(m_temporary, m_path, Renaming::replace))
        failToWrite(m_path, errno);
    m_state = State::placed;
}

void PendingFile::takeBack() noexcept
{
    if ((m_state == State::exchanged && renamed(m_temporary, m_path, Renaming::exchange)) ||
        (m_state == State::placed && renamed(m_path, m_temporary, Renaming::replace)))
        m_state = State::pending;
}

void PendingFile::commit()
{
    const std::array<PendingFile*, 1> alone{this};
    commit(alone);
}

void PendingFile::commit(std::span<PendingFile* const> files)
{
    PlacedFiles(files).keep();
}

PlacedFiles::PlacedFiles(std::span<PendingFile* const> files) : m_files(files.begin(), files.end())
{
    if (files.size() == 1)
        files.front()->store();
    else
        parallelFor(0, static_cast<int>(files.size()), [&](int k) { files[static_cast<std::size_t>(k)]->store(); });
    for (const PendingFile* file : files)
        file->requireFree();
    std::set<fs::path> folders;
    for (const PendingFile* file : files)
        folders.insert(file->m_path.has_parent_path() ? file->m_path.parent_path() : ".");
    m_held = leftoversHeld();
    try {
        for (PendingFile* file : files)
            file->place();
        for (const fs::path& folder : folders)
            storeDescriptor(folder, O_RDONLY | O_DIRECTORY);
    } catch (const Error& error) {
        takeBack();
        throw Error(error.kind(), error.text() + leftRenamed());
    }
}

// Names the files that keep their final names because renaming them back has failed, too.
Text PlacedFiles::leftRenamed() const
{
    constexpr int mostNamed = 5;
    Text names;
    int count = 0;
    for (const PendingFile* file : m_files) {
        if (file->m_state == PendingFile::State::pending || ++count > mostNamed)
            continue;
        names += (count > 1 ? ", " : "") + fileText(file->m_path.string());
        if (file->m_state == PendingFile::State::exchanged)
            names += " (the older file is " + fileText(file->m_temporary.string()) + ")";
    }
    if (count == 0)
        return {};
    if (count > mostNamed)
        names += " and " + std::to_string(count - mostNamed) + " more";
    return " Files that have got their names before, and can't be renamed back: " + names +
           ". They are complete; the output isn't.";
}

PlacedFiles::~PlacedFiles()
{
    if (!m_kept)
        takeBack();
}

void PlacedFiles::keep()
{
    for (PendingFile* file : m_files)
        file->m_committed = true;
    m_kept = true;
    m_held.unlock();
}

void PlacedFiles::takeBack() noexcept
{
    for (PendingFile* file : m_files)
        file->takeBack();
}

} // namespace engine
