// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/slices/volume_journal.h"

#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/remove_file.h"
#include "engine/io/files/exclusive_file.h"
#include "engine/io/files/input_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

using JournalJson = nlohmann::ordered_json;

constexpr const char* journalFormat = "Sinoscope unfinished volume";
constexpr std::string_view journalBegin = R"({"format":"Sinoscope unfinished volume")";
constexpr long long mostJournalBytes = mostText;

fs::path hiddenBeside(const fs::path& output, const char* ending)
{
    return output.parent_path() / ('.' + output.filename().string() + ending);
}

// Also true for a journal whose first line was being written when the program was interrupted.
bool isOfJournal(std::string_view text)
{
    return text.starts_with(journalBegin) || journalBegin.starts_with(text);
}

struct JournalLine {
    JournalJson json;
    long long begin, end; // bytes in the file
};

// Returns the complete lines, without one that was being written when the program was interrupted.
std::vector<JournalLine> journalLines(const std::string& text)
{
    std::vector<JournalLine> lines;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        lines.push_back({parsedJson(text.substr(begin, end - begin)), static_cast<long long>(begin),
                         static_cast<long long>(end + 1)});
    return lines;
}

// Returns the slices that an identity names.
std::optional<RowRange> slicesIn(const JournalJson& identity)
{
    try {
        const JournalJson& slices = identity.at(identity.contains("slicesInPairs") ? "slicesInPairs" : "slices");
        return RowRange{wholeNumberIn<int>(slices.at(0)), wholeNumberIn<int>(slices.at(1))};
    } catch (const JournalJson::exception&) { // damaged, or of another program
        return {};
    } catch (const Error&) {
        return {};
    }
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

Text OtherVolume::textFor(const fs::path& journal, const Text& words)
{
    return "'" + journal.string() + "' belongs to slices reconstructed differently: " + words +
           ". Repeat the same request to continue them" +
           aside("or leave out " + optionName("resume") + " to reconstruct all slices") + ".";
}

void VolumeJournal::fail(const Text& what) const
{
    throw Error(ErrorKind::output, fileText(m_path.string()) + " " + what);
}

VolumeJournal::VolumeJournal(fs::path path) : m_path(std::move(path)) {}

VolumeJournal::VolumeJournal(const fs::path& path, const std::string& identity) : VolumeJournal(path)
{
    struct stat status = {};
    do { // if another program removed it between opening and locking, create a new one
        if (m_descriptor >= 0)
            ::close(std::exchange(m_descriptor, -1));
        m_descriptor = openOwnFile(path);
        lock();
    } while (::fstat(m_descriptor, &status) == 0 && status.st_nlink == 0);
    read(identity);
}

std::unique_ptr<VolumeJournal> VolumeJournal::leftAt(const fs::path& path)
{
    std::unique_ptr<VolumeJournal> journal(new VolumeJournal(path));
    constexpr int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    journal->m_descriptor = ::open(path.c_str(), O_RDWR | flags);
    if (journal->m_descriptor < 0 && (errno == EACCES || errno == EROFS))
        journal->m_descriptor = ::open(path.c_str(), O_RDONLY | flags);
    struct stat status = {};
    if (journal->m_descriptor < 0 || ::fstat(journal->m_descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return {};
    journal->m_isOwn = whyNotOwn(path, journal->m_descriptor).empty();
    journal->lock();
    const std::string text = journal->text();
    if (!isOfJournal(text) || ::fstat(journal->m_descriptor, &status) != 0 || status.st_nlink == 0)
        return {};
    try {
        journal->readLines(text);
    } catch (const Error&) { // damaged: the groups before the damage are used
    }
    return journal;
}

VolumeJournal::~VolumeJournal()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void VolumeJournal::lock() const
{
    if (::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        throw OutputInUse(ErrorKind::output, fileText(m_path.string()) +
                                                 " is in use: another program is writing this output. Wait for it.");
}

long long VolumeJournal::bytes() const
{
    struct stat status = {};
    if (::fstat(m_descriptor, &status) != 0)
        fail("can't be read: " + std::generic_category().message(errno) + ".");
    return status.st_size;
}

std::string VolumeJournal::text() const
{
    std::string text(static_cast<std::size_t>(std::min(bytes(), mostJournalBytes)), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t got = ::pread(m_descriptor, text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail("can't be read: " + std::generic_category().message(errno) + ".");
        if (got == 0)
            break;
        done += static_cast<std::size_t>(got);
    }
    text.resize(done);
    return text;
}

void VolumeJournal::read(const std::string& identity)
{
    const std::string text = this->text();
    if (!isOfJournal(text))
        fail("is not the journal of an unfinished volume, and is left unchanged. Rename it, or name another output.");
    if (bytes() >= mostJournalBytes)
        fail("has " + std::to_string(bytes()) + " bytes, more than the limit of 64 MB for a journal. Remove it.");
    const JournalJson wanted = JournalJson::parse(identity);
    if (text.find('\n') == std::string::npos) {
        cutAt(0);
        m_isNew = true;
        m_of = identity;
        return append(onOneLine({{"format", journalFormat}, {"of", wanted}}));
    }
    readLines(text);
    if (const auto difference = firstDifference(JournalJson::parse(m_of), wanted))
        throw OtherVolume(m_path, *difference);
    cutAt(static_cast<long long>(text.rfind('\n')) + 1); // removes a line that was being written at an interruption
}

void VolumeJournal::readLines(const std::string& text)
{
    try {
        for (const JournalLine& line : journalLines(text))
            if (line.begin == 0)
                m_of = line.json.at("of").dump();
            else
                take(line.json, line.begin);
    } catch (const JournalJson::exception& error) {
        fail(std::string("is damaged (") + error.what() + "). Remove it, or leave out " + optionName("resume") +
             " to reconstruct all slices.");
    } catch (const Error& error) {
        fail("is damaged (" + error.text() + "). Remove it, or leave out " + optionName("resume") +
             " to reconstruct all slices.");
    }
}

void VolumeJournal::take(const nlohmann::ordered_json& line, long long begin)
{
    if (line.is_object() && line.contains("naming")) {
        m_isNaming = true;
        return;
    }
    KeptGroup group{.slices = wholeNumberIn<int>(line.at("slices")),
                    .changed = wholeNumberIn<long long>(line.at("changed")),
                    .offset = wholeNumberIn<long long>(line.at("offset")),
                    .begin = begin};
    require(group.slices > 0 && m_slices <= 1'000'000'000 - group.slices, "slices out of range");
    if (line.contains("sums")) {
        group.sliceBytes = wholeNumberIn<long long>(line.at("sliceBytes"));
        for (const JournalJson& sum : line.at("sums"))
            group.sums.push_back(wholeNumberIn<std::uint32_t>(sum));
        require(group.sums.size() == static_cast<std::size_t>(group.slices), "wrong number of checksums");
    }
    if (line.contains("warnings"))
        group.warnings = line.at("warnings").get<std::vector<std::string>>();
    m_slices += group.slices;
    m_changed += group.changed;
    m_groups.push_back(std::move(group));
}

std::optional<RowRange> VolumeJournal::of() const
{
    return slicesIn(parsedJson(m_of));
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

void VolumeJournal::add(KeptGroup group)
{
    const long long begin = bytes();
    JournalJson line = {{"slices", group.slices}, {"changed", group.changed}, {"offset", group.offset}};
    if (!group.sums.empty()) {
        line["sliceBytes"] = group.sliceBytes;
        line["sums"] = group.sums;
    }
    if (!group.warnings.empty())
        line["warnings"] = group.warnings;
    append(onOneLine(line));
    take(line, begin);
}

void VolumeJournal::setNaming()
{
    append(R"({"naming": true})");
    m_isNaming = true;
}

void VolumeJournal::takeBackFrom(std::size_t group)
{
    if (group >= m_groups.size())
        return;
    cutAt(m_groups[group].begin);
    for (std::size_t k = group; k < m_groups.size(); ++k) {
        m_slices -= m_groups[k].slices;
        m_changed -= m_groups[k].changed;
    }
    m_groups.resize(group);
}

void VolumeJournal::takeBackLast()
{
    if (!m_groups.empty())
        takeBackFrom(m_groups.size() - 1);
}

void VolumeJournal::remove()
{
    if (m_isOwn)
        removeFile(m_path);
}

JournalSummary summaryOf(const fs::path& journal)
{
    JournalSummary summary;
    try {
        const std::string text = textOf(journal, "'" + journal.string() + "'");
        if (!isOfJournal(text))
            return {};
        for (const JournalLine& line : journalLines(text))
            if (line.begin == 0)
                summary.of = slicesIn(line.json.value("of", JournalJson()));
            else
                summary.slices += line.json.is_object() ? line.json.value("slices", 0) : 0;
    } catch (const Error&) {                  // no journal
    } catch (const JournalJson::exception&) { // damaged: the lines before the damage count
    }
    return summary;
}

} // namespace engine
