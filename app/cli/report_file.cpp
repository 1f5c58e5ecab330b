#include "app/cli/report_file.h"

#include "engine/error.h"

#include <cerrno>
#include <cstring>
#include <iostream>
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
    std::ifstream file(path, std::ios::binary);
    const int first = file.get();
    return first == std::ifstream::traits_type::eof() || beginnings.find(static_cast<char>(first)) != std::string::npos;
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
        throw Error(ErrorKind::output, m_option + ": '" + target + "' exists and is no such report; name another file");
    if (regular && !overwrite)
        throw Error(ErrorKind::output, m_option + ": '" + target + "' exists; name another file, or give --overwrite");
    try {
        if (regular || !fs::exists(path, ignored))
            m_pending.emplace(path, overwrite, engine::Inputs());
    } catch (const Error& error) {
        throw Error(error.kind(), m_option + ": " + error.what());
    }
    errno = 0;
    if (m_pending) // which is there, and doesn't come back where it was removed
        m_file.open(m_pending->temporary(), std::ios::binary | std::ios::in | std::ios::out);
    else
        m_file.open(path, std::ios::binary);
    if (!m_file)
        throw Error(ErrorKind::output, m_option + ": '" + target + "' can't be written: " + std::strerror(errno));
}

void ReportFile::refuse(const engine::Inputs& inputs) const
{
    if (m_pending)
        inputs.refuse(m_pending->path());
}

void ReportFile::write(const std::string& text)
{
    if (m_target.empty())
        return;
    if (m_target == "-") {
        std::cout << text << std::endl;
        if (!std::cout)
            throw Error(ErrorKind::output, m_option + ": the report can't be written to standard output");
        return;
    }
    m_file << text << '\n';
    m_file.close();
    if (!m_file)
        throw Error(ErrorKind::output, m_option + ": '" + m_target + "' can't be written; is the disk full?");
    if (m_pending)
        m_pending->commit();
}

} // namespace cli
