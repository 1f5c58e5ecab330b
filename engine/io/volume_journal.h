// What of a volume is complete on the disk, for the run that goes on with it: a file beside the output, to which each
// group of slices adds a line once it is stored for good.
#pragma once

#include "engine/error.h"
#include "engine/json_difference.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <utility>

namespace engine
{

// What an output is called until a run that may be gone on with is done: unlike what others leave (unfinished.h), it is
// never removed by a program that only writes the same output.
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
    Error inWords(const std::string& words) const { return Error(kind(), textFor(m_journal, words)); }
    const JsonDifference& difference() const { return m_difference; }

  private:
    static std::string textFor(const std::filesystem::path& journal, const std::string& words);

    std::filesystem::path m_journal;
    JsonDifference m_difference;
};

class VolumeJournal
{
  public:
    // Opens it where it is there, else begins it. identity: JSON of all that the slices depend on. Throws
    // OtherVolume where it was begun with another, with the first difference; Error(output) where another
    // program is at it, it can't be written, or is damaged.
    VolumeJournal(const std::filesystem::path& path, const std::string& identity);
    ~VolumeJournal();
    VolumeJournal(const VolumeJournal&) = delete;
    VolumeJournal& operator=(const VolumeJournal&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    int slices() const { return m_slices; }         // that are complete, from the first on
    long long changed() const { return m_changed; } // values of the others that the format could not hold
    long long offset() const { return m_offset; }   // in their file; −1: not known yet
    bool isNaming() const { return m_isNaming; }    // all are complete, and were being given their names

    // The slices are on the disk already. Throws Error(output).
    void add(int slices, long long changed, long long offset);
    void setNaming();
    void takeBackLast(); // that group is made again
    void remove();       // for good

  private:
    void read(const std::string& identity);
    void take(const nlohmann::ordered_json& line, long long begin);
    void cutAt(long long byte);
    void append(const std::string& line);
    [[noreturn]] void fail(const std::string& what) const;

    std::filesystem::path m_path;
    int m_descriptor = -1;
    int m_slices = 0, m_last = 0;
    long long m_changed = 0, m_lastChanged = 0, m_offset = -1, m_lastBegin = 0;
    bool m_isNaming = false;
};

// How many slices a journal speaks of; nothing where it is none, or a program is at it.
int slicesKept(const std::filesystem::path& journal);

} // namespace engine
