// SPDX-License-Identifier: GPL-3.0-or-later
// The helper program that reads one HDF5 or MATLAB file, and the files that it leads to: what it is asked.
#pragma once

#include "engine/io/check/helper_channel.h"
#include "engine/io/check/plugin_decoders.h"
#include "engine/io/files/input_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// Each question names the file and the path in it; what else it has, and its answer, are beside it.
enum class HelperQuestion : std::uint32_t {
    node,         // Hdf5Node
    children,     // list of names
    nodes,        // depth; groups, data sets
    text,         // whether there is one, text
    attribute,    // name; as for text
    whyBroken,    // text
    dataset,      // DatasetFacts
    hasStorage,   // whether any number was written
    isWhole,      // whether no chunk is missing
    stored,       // whether they are stored as they are, StoredNumbers
    parts,        // list of VirtualPart
    places,       // first, count; list of ChunkPlace
    read,         // start, count, whether as double; the values in the memory that came with the question
    matVariables, // list of MatVariable
    matNumbers,   // number of the variable, whether as double; the values, as above
    hasPlugin,    // to a helper with a plug-in: whether there is one
    decode, // parameters, stored bytes, which are in the memory that came with this or an earlier question; how many
            // decoded bytes are in it afterwards
};

// A session with the helper program, started with the first question. May be used from any thread. If the helper ends
// (a damaged file makes the library crash), or this process is the copy of another one (fork), the next question
// starts a new one.
class HelperSession
{
  public:
    // `program`: instead of the installed one, in tests. Throws Error(badFile).
    explicit HelperSession(const std::filesystem::path& path, std::stop_token stop = {},
                           std::filesystem::path program = {});

    const std::filesystem::path& path() const { return m_main->path(); }
    const InputFile& file() const { return *m_main; }

    // Asks about the path in a file: path(), or one that it leads to. Throws the error of the helper; Error(badFile) if
    // it crashes or exceeds its limits; noMemory; cancelled.
    // `workBytes`: what the helper processes for the answer, beyond a constant; its limits grow with it.
    Parcel ask(HelperQuestion question, const std::filesystem::path& file, const std::string& path,
               const Parcel& more = {}, double workBytes = 0);
    // As above; the answer is `bytes` bytes of values.
    void askForValues(HelperQuestion question, const std::filesystem::path& file, const std::string& path,
                      const Parcel& more, char* values, std::size_t bytes, double workBytes = 0);

    std::shared_ptr<PluginDecoders> plugins(); // of this scan

    // Returns the identities of files when the helper first read them; nothing for those that it hasn't.
    std::vector<std::optional<FileIdentity>> filesWhenOpened(const std::vector<std::filesystem::path>& files);
    // Ends the helper if one of the files has been written to since the last call: it caches what it has read.
    void forgetOldFiles();

    void outliveStop(); // the stop token no longer applies

    // Opens a file that the helper has read. Throws Error(badFile), also if another file has taken its place.
    std::shared_ptr<const InputFile> open(const std::filesystem::path& path);

  private:
    Parcel exchange(HelperQuestion question, const std::filesystem::path& file, const std::string& path,
                    const Parcel& more, double workBytes, int memory);
    void reply(int socket, Message& message);
    std::shared_ptr<const InputFile> opened(const std::filesystem::path& path);

    std::shared_ptr<const InputFile> m_main;
    std::map<std::filesystem::path, FileIdentity> m_others; // as they were when the helper first read them
    std::vector<std::optional<FileIdentity>> m_states;      // of all files at the last call of forgetOldFiles()
    std::stop_token m_stop;
    std::filesystem::path m_program;
    std::mutex m_mutex;
    std::optional<HelperChannel> m_helper;
    std::shared_ptr<PluginDecoders> m_plugins;
};

} // namespace engine
