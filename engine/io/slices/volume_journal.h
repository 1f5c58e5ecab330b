// SPDX-License-Identifier: GPL-3.0-or-later
// What of a volume is complete on the disk, for the run that goes on with it: a file beside the output, to which each
// group of slices adds a line once it is stored for good.
#pragma once

#include "engine/base/error.h"
#include "engine/base/json_difference.h"
#include "engine/scan/geometry.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// What an output is called until a run that may be gone on with is done: unlike what others leave (stale_files.h), it
// is never removed by a program that only writes the same output.
std::filesystem::path keptName(const std::filesystem::path& output);
std::filesystem::path journalName(const std::filesystem::path& output);

// A journal was begun for what differs from it.
class OtherVolume : public Error
{
  public:
    OtherVolume(const std::filesystem::path& journal, JsonDifference difference)
        : Error(ErrorKind::badRequest,
                textFor(journal, difference.at + " was " + difference.one + " and is " + difference.other)),
          m_journal(journal), m_difference(std::move(difference))
    {
    }
    // In other words for the difference.
    Error inWords(const Text& words) const { return Error(kind(), textFor(m_journal, words)); }
    const JsonDifference& difference() const { return m_difference; }

  private:
    static Text textFor(const std::filesystem::path& journal, const Text& words);

    std::filesystem::path m_journal;
    JsonDifference m_difference;
};

// Slices that were stored together.
struct KeptGroup {
    int slices = 0;
    long long changed = 0;                // values that the format could not hold
    long long offset = -1;                // of all slices in their file; −1: not known yet
    long long sliceBytes = 0;             // there
    std::vector<std::uint32_t> sums = {}; // checksum of each slice (checksum.h); none in journals of older programs
    long long begin = 0;                  // of its line, in bytes
};

class VolumeJournal
{
  public:
    // Opens it where it is there, else begins it. identity: JSON of all that the slices depend on. Throws
    // OtherVolume where it was begun with another, with the first difference; Error(output) where another
    // program is at it, it can't be written, is another kind of file, or is damaged.
    VolumeJournal(const std::filesystem::path& path, const std::string& identity);
    // The one that an interrupted run has left, whatever of; it is locked for as long as this lives. None where there
    // is none. Throws Error(output) where another program is at it.
    static std::unique_ptr<VolumeJournal> leftAt(const std::filesystem::path& path);
    ~VolumeJournal();
    VolumeJournal(const VolumeJournal&) = delete;
    VolumeJournal& operator=(const VolumeJournal&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    bool isNew() const { return m_isNew; }          // begun now
    int slices() const { return m_slices; }         // that are complete, from the first on
    long long changed() const { return m_changed; } // values of the others that the format could not hold
    long long offset() const { return m_groups.empty() ? -1 : m_groups.back().offset; }
    const std::vector<KeptGroup>& groups() const { return m_groups; }
    bool isNaming() const { return m_isNaming; } // all are complete, and were being given their names
    std::optional<RowRange> of() const;          // the slices of the scan that it was begun for, where it says so

    // The slices are on the disk already. Throws Error(output).
    void add(KeptGroup group);
    void setNaming();
    void takeBackFrom(std::size_t group); // this one and those after it
    void takeBackLast();                  // which is to be reconstructed again
    void remove();                        // for good

  private:
    explicit VolumeJournal(std::filesystem::path path);
    void lock() const;
    std::string text() const;
    void read(const std::string& identity);
    void readLines(const std::string& text);
    void take(const nlohmann::ordered_json& line, long long begin);
    void cutAt(long long byte);
    void append(const std::string& line);
    long long bytes() const;
    [[noreturn]] void fail(const Text& what) const;

    std::filesystem::path m_path;
    int m_descriptor = -1;
    bool m_isNew = false, m_isOwn = true;
    std::string m_of; // JSON
    std::vector<KeptGroup> m_groups;
    int m_slices = 0;
    long long m_changed = 0;
    bool m_isNaming = false;
};

// What a journal tells of; nothing where it is none. It isn't locked.
struct JournalSummary {
    int slices = 0;             // that are complete
    std::optional<RowRange> of; // as VolumeJournal::of()
};
JournalSummary summaryOf(const std::filesystem::path& journal);

} // namespace engine
