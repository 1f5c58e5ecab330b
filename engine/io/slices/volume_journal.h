// SPDX-License-Identifier: GPL-3.0-or-later
// A journal of the slices of a volume that are complete on the disk, for the run that continues the volume: a file
// beside the output, to which each group of slices adds a line once it has been flushed to the disk.
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

// Returns the name that an output has until its resumable run is complete. Unlike stale temporary files
// (stale_files.h), the file is never removed by a program that only writes the same output.
std::filesystem::path keptName(const std::filesystem::path& output);
std::filesystem::path journalName(const std::filesystem::path& output);

// The error that another program is writing the output.
class OutputInUse : public Error
{
  public:
    using Error::Error;
};

// The error that a journal was begun for slices with another identity: another scan or other settings, say.
class OtherVolume : public Error
{
  public:
    OtherVolume(const std::filesystem::path& journal, const JsonDifference& difference)
        : OtherVolume(journal, difference, difference.at + " was " + difference.one + " and is " + difference.other)
    {
    }
    // Returns this error with other words for the difference.
    OtherVolume inWords(const Text& words) const { return OtherVolume(m_journal, m_difference, words); }
    const JsonDifference& difference() const { return m_difference; }

  private:
    OtherVolume(const std::filesystem::path& journal, JsonDifference difference, const Text& words)
        : Error(ErrorKind::badRequest, textFor(journal, words)), m_journal(journal), m_difference(std::move(difference))
    {
    }
    static Text textFor(const std::filesystem::path& journal, const Text& words);

    std::filesystem::path m_journal;
    JsonDifference m_difference;
};

// A group of slices that were stored together.
struct KeptGroup {
    int slices = 0;
    long long changed = 0;                  // values that the format could not hold
    long long offset = -1;                  // where all slices begin in their file; −1: not known yet
    long long sliceBytes = 0;               // per slice in that file
    std::vector<std::uint32_t> sums = {};   // checksum of each slice (checksum.h); none in journals of older programs
    std::vector<std::string> warnings = {}; // of the run that made it
    long long begin = 0;                    // of its line in the journal, in bytes
};

class VolumeJournal
{
  public:
    // Opens the journal, or begins it if there is none. identity: JSON of everything that the slices depend on.
    // Throws OtherVolume with the first difference if the journal was begun with another identity; Error(output) if
    // another program is using it, if it can't be written, is another type of file, or is damaged.
    VolumeJournal(const std::filesystem::path& path, const std::string& identity);
    // Opens the journal that an interrupted run has left, whatever its identity, and locks it while the object lives.
    // Null if there is none. Throws Error(output) if another program is using it.
    static std::unique_ptr<VolumeJournal> leftAt(const std::filesystem::path& path);
    ~VolumeJournal();
    VolumeJournal(const VolumeJournal&) = delete;
    VolumeJournal& operator=(const VolumeJournal&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    bool isNew() const { return m_isNew; }          // begun by this object
    int slices() const { return m_slices; }         // number of complete slices, from the first on
    long long changed() const { return m_changed; } // values of these slices that the format could not hold
    long long offset() const { return m_groups.empty() ? -1 : m_groups.back().offset; }
    const std::vector<KeptGroup>& groups() const { return m_groups; }
    bool isNaming() const { return m_isNaming; } // all are complete, and were being renamed
    std::optional<RowRange> of() const;          // slices of the scan that it was begun for, if specified

    // Adds a group whose slices have been flushed to the disk. Throws Error(output).
    void add(KeptGroup group);
    void setNaming();
    void takeBackFrom(std::size_t group); // removes this group and the later ones
    void takeBackLast();                  // removes the last group, which is to be reconstructed again
    void remove();                        // deletes the file

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

// The contents of a journal, read without a lock; empty if the file isn't a journal.
struct JournalSummary {
    int slices = 0;             // number of complete slices
    std::optional<RowRange> of; // as VolumeJournal::of()
};
JournalSummary summaryOf(const std::filesystem::path& journal);

} // namespace engine
