#include "engine/io/pending_file.h"

#include "engine/error.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

void requireFreeName(const fs::path& path, bool overwrite)
{
    std::error_code unreadable;
    const fs::file_status there = fs::status(path, unreadable);
    if (!fs::exists(there))
        return;
    if (!fs::is_regular_file(there))
        throw Error(ErrorKind::output, "'" + path.string() + "' is not an ordinary file and is not written over.");
    if (!overwrite)
        throw Error(ErrorKind::output,
                    "'" + path.string() + "' exists already. Choose another name, or allow overwriting.");
}

std::string temporaryName(const fs::path& path, int attempt)
{
    std::string name(1, '.');
    name += path.filename().string();
    return name + '.' + std::to_string(::getpid()) + '-' + std::to_string(attempt) + ".part";
}

} // namespace

PendingFile::PendingFile(const fs::path& path, bool overwrite, const Inputs& inputs)
    : m_path(path), m_overwrite(overwrite)
{
    std::error_code ignored;
    if (fs::is_symlink(path, ignored)) // the target is replaced, not the link
        if (const fs::path target = fs::weakly_canonical(path, ignored); !ignored)
            m_path = target;
    if (!m_path.has_filename())
        throw Error(ErrorKind::output, "'" + path.string() + "' is not the name of a file.");
    inputs.refuse(m_path);
    requireFreeName(m_path, overwrite);
    for (int attempt = 0;; ++attempt) {
        m_temporary = m_path.parent_path() / temporaryName(m_path, attempt);
        const int descriptor = ::open(m_temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            ::close(descriptor);
            return;
        }
        if (errno != EEXIST || attempt == 1000)
            throw Error(ErrorKind::output, "'" + path.string() +
                                               "' can't be written: " + std::generic_category().message(errno) +
                                               ". Choose a folder that exists and can be written.");
    }
}

PendingFile::~PendingFile()
{
    std::error_code ignored;
    if (!m_done)
        fs::remove(m_temporary, ignored);
}

void PendingFile::requireFree() const
{
    requireFreeName(m_path, m_overwrite);
}

void PendingFile::commit()
{
    requireFree();
    std::error_code failure;
    fs::rename(m_temporary, m_path, failure);
    if (failure)
        throw Error(ErrorKind::output, "'" + m_path.string() + "' can't be written: " + failure.message() + ".");
    m_done = true;
}

} // namespace engine
