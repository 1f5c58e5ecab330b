// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/exclusive_file.h"

#include "engine/base/error.h"
#include "engine/base/remove_file.h"
#include "engine/io/files/creation_error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace engine
{

namespace
{

// Returns the owner that new files in the folder get. A file server may show this user's files as those of another
// user, so a temporary file is created to find out its owner.
uid_t ownerOfNewFiles(const std::filesystem::path& folder)
{
    std::string name = (folder / ".sinoscope-XXXXXX").string();
    struct stat status = {};
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0)
        return ::geteuid();
    const uid_t owner = ::fstat(descriptor, &status) == 0 ? status.st_uid : ::geteuid();
    ::close(descriptor);
    removeFile(name);
    return owner;
}

} // namespace

std::string whyNotOwn(const std::filesystem::path& path, int descriptor)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0)
        return std::generic_category().message(errno);
    if (!S_ISREG(status.st_mode))
        return "it is not a regular file";
    if (status.st_nlink > 1)
        return "it has another hard link";
    if (status.st_uid == ::geteuid() || status.st_uid == ownerOfNewFiles(path.parent_path()))
        return {};
    return "it belongs to another user";
}

int openOwnFile(const std::filesystem::path& path)
{
    // O_NONBLOCK: opening a pipe would otherwise wait for a reader.
    constexpr int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    int descriptor = ::open(path.c_str(), flags | O_CREAT | O_EXCL, 0666);
    if (descriptor < 0 && errno == EEXIST)
        descriptor = ::open(path.c_str(), flags);
    const std::string why = descriptor >= 0   ? whyNotOwn(path, descriptor)
                            : errno == ELOOP  ? "it is a symbolic link"
                            : errno == EISDIR ? "it is a folder"
                                              : std::string();
    if (descriptor >= 0 && why.empty())
        return descriptor;
    const int error = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    if (why.empty())
        throw Error(ErrorKind::output, fileText(path.string()) + " can't be written: " + whyNotMade(path, error) +
                                           ". Choose a folder that exists and can be written.");
    throw Error(ErrorKind::output,
                fileText(path.string()) + " is not written to: " + why + ". Remove it, or name another output.");
}

} // namespace engine
