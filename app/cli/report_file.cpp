// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report_file.h"

#include "engine/io/files/input_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <system_error>
#include <utility>

namespace cli
{

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorKind;

namespace
{

bool beginsWithOneOf(const fs::path& path, const std::string& beginnings)
{
    const std::string first = engine::beginningOf(path, 1);
    return first.empty() || beginnings.find(first) != std::string::npos;
}

} // namespace

ReportFile::ReportFile(const std::string& target, bool overwrite, std::string option, std::string beginnings)
    : m_target(target), m_option(std::move(option))
{
    if (target.empty() || target == "-")
        return;
    std::error_code ignored;
    const fs::path path(target);
    if (fs::is_directory(path, ignored))
        throw Error(ErrorKind::output, m_option + ": '" + target + "' is a folder; name a file");
    const bool regular = fs::is_regular_file(path, ignored);
    if (regular && !beginsWithOneOf(path, beginnings))
        throw Error(ErrorKind::output,
                    m_option + ": '" + target + "' exists and is not such a report; name another file");
    if (regular && !overwrite)
        throw Error(ErrorKind::output, m_option + ": '" + target + "' exists; name another file, or give --overwrite");
    try {
        if (regular || !fs::exists(path, ignored))
            m_pending.emplace(path, overwrite, engine::ProtectedInputs());
    } catch (const Error& error) {
        throw Error(error.kind(), m_option + ": " + error.text());
    }
    open(m_pending ? m_pending->temporary() : path);
}

ReportFile::~ReportFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

// Opens an existing file: one that was removed meanwhile is not created again. Non-blocking, as opening a pipe would
// wait for its reader.
void ReportFile::open(const fs::path& path)
{
    m_descriptor = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const int flags = m_descriptor < 0 ? -1 : ::fcntl(m_descriptor, F_GETFL);
    if (flags >= 0 && ::fcntl(m_descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0)
        return;
    const int error = errno;
    std::error_code unknown;
    fail(error == ENXIO && fs::is_fifo(path, unknown) ? "it is a pipe that nothing reads"
                                                      : std::generic_category().message(error));
}

void ReportFile::put(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t done = ::write(m_descriptor, text.data(), text.size());
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            fail((done < 0 ? std::generic_category().message(errno) : "it accepts no more data") +
                 "; is the disk full?");
        text.remove_prefix(static_cast<std::size_t>(done));
    }
}

void ReportFile::fail(const std::string& why) const
{
    throw Error(ErrorKind::output, m_option + ": '" + m_target + "' can't be written: " + why);
}

void ReportFile::refuse(const engine::ProtectedInputs& inputs)
{
    if (!m_pending)
        return;
    try {
        inputs.refuse(m_pending->path());
    } catch (const Error& error) {
        m_refused.emplace(error.kind(), m_option + ": " + error.text());
        throw *m_refused;
    }
}

void ReportFile::write(const std::string& text)
{
    if (m_target.empty())
        return;
    if (m_refused)
        throw *m_refused;
    if (m_target == "-") {
        std::cout << text << std::endl;
        if (!std::cout)
            throw Error(ErrorKind::output, m_option + ": the report can't be written to standard output");
        return;
    }
    put(text);
    put("\n");
    if (::close(std::exchange(m_descriptor, -1)) != 0)
        fail(std::generic_category().message(errno) + "; is the disk full?");
    if (m_pending)
        m_pending->commit();
}

} // namespace cli
