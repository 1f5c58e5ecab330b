// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/own_file.h"

#include "engine/base/remove_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <stdlib.h>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

class CacheProblems
{
  public:
    void add(const Text& problem)
    {
        const std::lock_guard lock(m_mutex);
        if (std::ranges::find(m_problems, problem) == m_problems.end())
            m_problems.push_back(problem);
    }
    std::vector<Text> all()
    {
        const std::lock_guard lock(m_mutex);
        return m_problems;
    }

  private:
    std::mutex m_mutex;
    std::vector<Text> m_problems;
};

CacheProblems& problems()
{
    static CacheProblems ofProcess;
    return ofProcess;
}

std::string whyNotUsed(const struct stat& status, std::size_t most, WrittenBy writer)
{
    if (const std::string why = whyNotRegular(status); !why.empty())
        return why;
    if (static_cast<std::size_t>(status.st_size) > most)
        return "it has " + std::to_string(status.st_size) + " bytes, more than " + std::to_string(most);
    if (writer == WrittenBy::anyone)
        return {};
    if (status.st_uid != ::geteuid() && status.st_uid != 0)
        return "it belongs to another user";
    return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "other users may write to it" : "";
}

// Returns why the file can't be read; empty if it was.
std::string read(int file, std::size_t most, WrittenBy writer, std::string& text)
{
    struct stat status = {};
    if (::fstat(file, &status) != 0)
        return std::generic_category().message(errno);
    if (std::string why = whyNotUsed(status, most, writer); !why.empty())
        return why;
    text.resize(static_cast<std::size_t>(status.st_size));
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t got = ::read(file, text.data() + done, text.size() - done);
        if (got < 0 && errno != EINTR)
            return std::generic_category().message(errno);
        if (got == 0)
            text.resize(done);
        done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    return {};
}

} // namespace

std::string whyNotRegular(const struct stat& status)
{
    switch (status.st_mode & S_IFMT) {
    case S_IFREG:
        return {};
    case S_IFDIR:
        return "it is a folder";
    case S_IFIFO:
        return "it is a pipe, not a file";
    default:
        return "it is a device, not a file";
    }
}

OwnFile readOwnFile(const fs::path& file, std::size_t most, WrittenBy writer)
{
    OwnFile own;
    // O_NONBLOCK: opening a pipe would otherwise wait for a writer.
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0 && (errno == ENOENT || errno == ENOTDIR))
        return own;
    const std::string why =
        descriptor < 0 ? std::generic_category().message(errno) : read(descriptor, most, writer, own.text);
    if (descriptor >= 0)
        ::close(descriptor);
    if (!why.empty())
        own = {.text = {}, .problem = fileText(file.string()) + " is ignored: " + why + "."};
    return own;
}

std::string readCached(const fs::path& file, std::size_t most, WrittenBy writer)
{
    OwnFile own = readOwnFile(file, most, writer);
    if (!own.problem.empty())
        problems().add(own.problem);
    return std::move(own.text);
}

std::vector<Text> cacheProblems()
{
    return problems().all();
}

void writeCached(const fs::path& file, const std::string& text)
{
    std::error_code failure;
    fs::create_directories(file.parent_path(), failure);
    std::string temporary = file.string() + ".XXXXXX";
    const int created = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (created < 0)
        return;
    ::close(created);
    std::ofstream out(temporary, std::ios::binary);
    out << text;
    out.close();
    if (out)
        fs::rename(temporary, file, failure);
    if (!out || failure)
        removeFile(temporary);
}

} // namespace engine
