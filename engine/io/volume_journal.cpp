#include "engine/io/volume_journal.h"

#include "engine/error.h"
#include "engine/io/not_made.h"
#include "engine/json_text.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <vector>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

using JournalJson = nlohmann::ordered_json;

constexpr const char* journalFormat = "Sinoscope unfinished volume";
constexpr std::uintmax_t mostJournalBytes = 64 << 20;

fs::path hiddenBeside(const fs::path& output, const char* ending)
{
    return output.parent_path() / ('.' + output.filename().string() + ending);
}

struct JournalLine {
    JournalJson json;
    long long begin, end; // bytes in the file
};

// Whole lines; what was being written when all ended is left out.
std::vector<JournalLine> journalLines(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<JournalLine> lines;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        lines.push_back({parsedJson(text.substr(begin, end - begin)), static_cast<long long>(begin),
                         static_cast<long long>(end + 1)});
    return lines;
}

} // namespace

fs::path keptName(const fs::path& output)
{
    return hiddenBeside(output, ".kept");
}
fs::path journalName(const fs::path& output)
{
    return hiddenBeside(output, ".resume");
}

std::string OtherVolume::textFor(const fs::path& journal, const std::string& words)
{
    return "'" + journal.string() + "' is of slices that were made otherwise: " + words +
           ". Ask for the same to go on with them, or leave --resume out to make all anew.";
}

void VolumeJournal::fail(const std::string& what) const
{
    throw Error(ErrorKind::output, "'" + m_path.string() + "' " + what);
}

VolumeJournal::VolumeJournal(const fs::path& path, const std::string& identity) : m_path(path)
{
    m_descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (m_descriptor < 0)
        fail("can't be written: " + whyNotMade(path, errno) + ".");
    try {
        if (::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            fail("is being written: another program is at this output. Wait for it.");
        read(identity);
    } catch (...) {
        ::close(m_descriptor);
        throw;
    }
}

VolumeJournal::~VolumeJournal()
{
    ::close(m_descriptor);
}

void VolumeJournal::read(const std::string& identity)
{
    const JournalJson wanted = JournalJson::parse(identity);
    std::error_code unknown;
    if (fs::file_size(m_path, unknown) > mostJournalBytes)
        fail("is no record of an unfinished volume. Remove it.");
    const std::vector<JournalLine> lines = journalLines(m_path);
    cutAt(lines.empty() ? 0 : lines.back().end); // what was being written when all ended
    if (lines.empty())
        return append(onOneLine({{"format", journalFormat}, {"of", wanted}}));
    try {
        const JournalJson& first = lines.front().json;
        if (first.at("format") != journalFormat)
            fail("is no record of an unfinished volume. Remove it.");
        if (const auto difference = firstDifference(first.at("of"), wanted))
            throw OtherVolume(m_path, *difference);
        for (std::size_t k = 1; k < lines.size(); ++k)
            take(lines[k].json, lines[k].begin);
    } catch (const JournalJson::exception&) {
        fail("is damaged. Remove it, or leave --resume out to make all anew.");
    }
}

void VolumeJournal::take(const nlohmann::ordered_json& line, long long begin)
{
    if (line.is_object() && line.contains("naming")) {
        m_isNaming = true;
        return;
    }
    m_last = wholeNumberIn<int>(line.at("slices"));
    m_lastChanged = wholeNumberIn<long long>(line.at("changed"));
    m_offset = wholeNumberIn<long long>(line.at("offset"));
    m_lastBegin = begin;
    require(m_last > 0 && m_slices <= 1'000'000'000 - m_last, "'" + m_path.string() + "' is damaged. Remove it.");
    m_slices += m_last;
    m_changed += m_lastChanged;
}

void VolumeJournal::cutAt(long long byte)
{
    if (::ftruncate(m_descriptor, static_cast<off_t>(byte)) != 0)
        fail("can't be written: " + std::generic_category().message(errno) + ".");
}

void VolumeJournal::append(const std::string& line)
{
    const std::string text = line + '\n';
    if (::write(m_descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
        ::fsync(m_descriptor) != 0)
        fail("can't be written: " + std::generic_category().message(errno) + ". Is the disk full?");
}

void VolumeJournal::add(int slices, long long changed, long long offset)
{
    std::error_code unknown;
    const auto begin = static_cast<long long>(fs::file_size(m_path, unknown));
    const JournalJson line = {{"slices", slices}, {"changed", changed}, {"offset", offset}};
    append(onOneLine(line));
    take(line, begin);
}

void VolumeJournal::setNaming()
{
    append(R"({"naming": true})");
    m_isNaming = true;
}

void VolumeJournal::takeBackLast()
{
    if (m_last == 0)
        return;
    cutAt(m_lastBegin);
    m_slices -= m_last;
    m_changed -= m_lastChanged;
    m_last = 0;
}

void VolumeJournal::remove()
{
    std::error_code ignored;
    fs::remove(m_path, ignored);
}

int slicesKept(const fs::path& journal)
{
    int slices = 0;
    try {
        std::error_code unknown;
        if (!fs::is_regular_file(journal, unknown) || fs::file_size(journal, unknown) > mostJournalBytes)
            return 0;
        for (const JournalLine& line : journalLines(journal))
            slices += line.json.is_object() ? line.json.value("slices", 0) : 0;
    } catch (const JournalJson::exception&) {
        return 0;
    }
    return slices;
}

} // namespace engine
