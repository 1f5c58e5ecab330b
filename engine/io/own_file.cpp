#include "engine/io/own_file.h"

#include "engine/error.h"
#include "engine/io/not_made.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace engine
{

std::string whyNotOwn(int descriptor)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0)
        return std::generic_category().message(errno);
    if (!S_ISREG(status.st_mode))
        return "it is no ordinary file";
    if (status.st_nlink > 1)
        return "it has another name too (a hard link)";
    return status.st_uid == ::geteuid() ? std::string() : "it belongs to another user";
}

int openOwnFile(const std::filesystem::path& path)
{
    // Opening a pipe would wait for who reads it.
    constexpr int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    int descriptor = ::open(path.c_str(), flags | O_CREAT | O_EXCL, 0666);
    if (descriptor < 0 && errno == EEXIST)
        descriptor = ::open(path.c_str(), flags);
    const std::string why = descriptor >= 0   ? whyNotOwn(descriptor)
                            : errno == ELOOP  ? "it is a symbolic link"
                            : errno == EISDIR ? "it is a folder"
                                              : std::string();
    if (descriptor >= 0 && why.empty())
        return descriptor;
    const int error = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    if (why.empty())
        throw Error(ErrorKind::output, "'" + path.string() + "' can't be written: " + whyNotMade(path, error) +
                                           ". Choose a folder that exists and can be written.");
    throw Error(ErrorKind::output,
                "'" + path.string() + "' is not written to: " + why + ". Remove it, or name another output.");
}

} // namespace engine
