// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/file_states.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"

#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace engine
{

FileStates::State FileStates::stateOf(const std::filesystem::path& path, int& error)
{
    struct stat status = {};
    error = ::stat(path.c_str(), &status) == 0 ? 0 : errno;
    return {status.st_dev, status.st_ino, status.st_size,
            status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec};
}

void FileStates::add(const std::vector<std::filesystem::path>& files, bool mayGrow)
{
    for (const std::filesystem::path& path : files) {
        int error = 0;
        const State state = stateOf(path, error);
        if (error == 0)
            m_files.push_back({path, state, mayGrow});
    }
}

void FileStates::require(const File& file)
{
    const auto fail = [&file](const std::string& why) {
        throw Error(ErrorKind::badFile, fileText(file.path.string()) + " can't be read: " + why + ".");
    };
    int error = 0;
    const State now = stateOf(file.path, error);
    if (error != 0)
        fail(std::generic_category().message(error));
    const bool isAsLong = now.bytes == file.before.bytes, isAsOld = now.modifiedNs == file.before.modifiedNs;
    // Some file systems (FUSE) renumber their files.
    if ((now.device != file.before.device || now.inode != file.before.inode) && !(isAsLong && isAsOld))
        fail("another file has taken its place since the scan was opened. Open it again");
    if (now.bytes < file.before.bytes || (!isAsLong && !file.mayGrow))
        fail("it changed after the scan was opened, from " + std::to_string(file.before.bytes) + " to " +
             std::to_string(now.bytes) + " bytes. Open it again");
    if (isAsLong && !isAsOld)
        fail("it was written again after the scan was opened. Open it again");
}

// Uses all threads: a scan may have thousands of files, and checking each may take a request to a server.
void FileStates::requireUnchanged() const
{
    parallelFor(0, static_cast<int>(m_files.size()), [this](int k) { require(m_files[static_cast<std::size_t>(k)]); });
}

bool FileStates::areUnchanged() const
{
    try {
        requireUnchanged();
    } catch (const Error&) {
        return false;
    }
    return true;
}

} // namespace engine
