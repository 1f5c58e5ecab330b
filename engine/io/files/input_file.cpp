// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/input_file.h"

#include "engine/base/error.h"
#include "engine/base/own_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

std::string messageOf(int error)
{
    return error == ENOENT ? "it isn't there" : std::generic_category().message(error);
}

FileIdentity identityIn(const struct stat& status)
{
    const auto ns = [](const timespec& time) { return time.tv_sec * 1'000'000'000LL + time.tv_nsec; };
    return {status.st_dev, status.st_ino, status.st_size, ns(status.st_mtim), ns(status.st_ctim)};
}

bool isBelow(const fs::path& path, const fs::path& folder)
{
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

} // namespace

std::string whyNotRead(const fs::path& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) != 0 ? messageOf(errno) : whyNotRegular(status);
}

std::string whyNotLedTo(const fs::path& path)
{
    std::error_code unknown;
    const fs::path target = fs::weakly_canonical(path, unknown);
    for (const char* folder : {"/etc", "/proc", "/dev", "/sys"})
        if (isBelow(target, folder) && !isBelow(target, "/dev/shm"))
            return std::string("it lies in ") + folder + ", a system folder, which holds no scans";
    return {};
}

std::optional<FileIdentity> identityOf(const fs::path& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(identityIn(status)) : std::nullopt;
}

InputFile::InputFile(const fs::path& path) // O_NONBLOCK: opening a pipe would otherwise wait for a writer
    : InputFile(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
{
}

InputFile::InputFile(fs::path path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor)
{
    struct stat status = {};
    const int error = m_descriptor < 0 || ::fstat(m_descriptor, &status) != 0 ? errno : 0;
    const std::string why = error == 0 ? whyNotRegular(status) : messageOf(error);
    if (!why.empty()) {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        fail(why);
    }
    m_identity = identityIn(status);
}

InputFile::~InputFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

std::size_t InputFile::read(char* to, std::size_t bytes, std::uintmax_t offset) const
{
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t got = ::pread(m_descriptor, to + done, bytes - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail(messageOf(errno));
        if (got == 0)
            break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

void InputFile::fail(const std::string& why) const
{
    throw Error(ErrorKind::badFile, fileText(m_path.string()) + " can't be read: " + why + ".");
}

std::string beginningOf(const fs::path& path, std::size_t bytes)
{
    std::string beginning(bytes, '\0');
    beginning.resize(InputFile(path).read(beginning.data(), bytes, 0));
    return beginning;
}

namespace
{

// Converts UTF-16 with a byte-order mark to UTF-8, and removes the mark of UTF-8: texts of Windows begin so.
std::string withoutMark(const std::string& text)
{
    if (text.starts_with("\xef\xbb\xbf"))
        return text.substr(3);
    const bool isLittle = text.starts_with("\xff\xfe");
    if (!isLittle && !text.starts_with("\xfe\xff"))
        return text;
    const auto unit = [&](std::size_t at) {
        const auto byte = [&](std::size_t k) {
            return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k]));
        };
        return isLittle ? byte(at) | byte(at + 1) << 8 : byte(at) << 8 | byte(at + 1);
    };
    std::string made;
    for (std::size_t at = 2; at + 1 < text.size(); at += 2) {
        std::uint32_t code = unit(at);
        if (code >= 0xd800 && code < 0xdc00 && at + 3 < text.size()) // the first of a pair
            code = 0x10000 + ((code - 0xd800) << 10) + ((unit(at += 2) - 0xdc00) & 0x3ff);
        const auto add = [&](std::uint32_t byte) { made += static_cast<char>(byte); };
        if (code < 0x80) {
            add(code);
            continue;
        }
        const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; // bytes after the first
        add((more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0) | code >> (6 * more));
        for (int k = more - 1; k >= 0; --k)
            add(0x80 | ((code >> (6 * k)) & 0x3f));
    }
    return made;
}

} // namespace

std::string textOf(const fs::path& path, const Text& who, int most)
{
    if (const std::string why = whyNotRead(path); !why.empty())
        throw Error(ErrorKind::badFile, who + " can't be read: " + why + ".");
    const InputFile file(path);
    if (file.bytes() == 0 || file.bytes() > static_cast<std::uintmax_t>(most))
        throw Error(ErrorKind::badFile, who + " has " + std::to_string(file.bytes()) +
                                            " bytes; it needs at least one byte and at most " +
                                            std::to_string(most >> 20) + " MB.");
    std::string text(file.bytes(), '\0');
    if (file.read(text.data(), text.size(), 0) != text.size())
        throw Error(ErrorKind::badFile, who + " became shorter while it was read. Open it again.");
    return withoutMark(text);
}

} // namespace engine
