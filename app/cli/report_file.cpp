#include "app/cli/report_file.h"

#include "engine/error.h"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <unistd.h>
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

ReportFile::ReportFile(const std::string& target, std::string option, std::string beginnings)
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
    // A device or a pipe is written to as it is.
    if (regular || !fs::exists(path, ignored))
        m_unfinished = target + ".part" + std::to_string(::getpid());
    errno = 0;
    m_file.open(m_unfinished.empty() ? path : m_unfinished, std::ios::binary);
    if (!m_file) {
        m_unfinished.clear();
        throw Error(ErrorKind::output, m_option + ": '" + target + "' can't be written: " + std::strerror(errno));
    }
}

ReportFile::~ReportFile()
{
    std::error_code ignored;
    if (!m_unfinished.empty())
        fs::remove(m_unfinished, ignored);
}

void ReportFile::refuse(const engine::Inputs& inputs) const
{
    if (!m_unfinished.empty())
        inputs.refuse(m_target);
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
    std::error_code error;
    if (m_file && !m_unfinished.empty()) {
        fs::rename(m_unfinished, m_target, error);
        if (!error)
            m_unfinished.clear();
    }
    if (!m_file || error)
        throw Error(ErrorKind::output, m_option + ": '" + m_target + "' can't be written; is the disk full?");
}

} // namespace cli
