// SPDX-License-Identifier: GPL-3.0-or-later
// The helper program that reads one HDF5 file, and the files that it leads to.
#pragma once

#include "engine/io/check/helper_process.h"
#include "engine/io/check/messages.h"
#include "engine/io/files/input_file.h"
#include "engine/io/hdf5/hdf5_questions.h"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace engine
{

// A session with the helper program, started with the first question. May be used from any thread. If the helper ends
// (a damaged file makes the library crash), or this process is the copy of another one (fork), the next question
// starts a new one.
class Hdf5Session
{
  public:
    explicit Hdf5Session(const std::filesystem::path& path, std::stop_token stop = {}); // throws Error(badFile)

    const std::filesystem::path& path() const { return m_main->path(); }

    // Asks about the path in a file: path(), or one that it leads to. Throws the error of the helper; Error(badFile) if
    // it crashes or exceeds its limits; noMemory; cancelled.
    Parcel ask(Hdf5Question question, const std::filesystem::path& file, const std::string& path,
               const Parcel& more = {});
    // As above; the answer is `bytes` bytes of values.
    void askForValues(const std::filesystem::path& file, const std::string& path, const Parcel& more, char* values,
                      std::size_t bytes);

    void outliveStop(); // the stop token no longer applies

    // Opens a file that the helper has read. Throws Error(badFile), also if another file has taken its place.
    std::shared_ptr<const InputFile> open(const std::filesystem::path& path);

  private:
    Parcel exchange(const Parcel& question, double valueBytes, int memory);
    void start();
    void reply(Message& message);
    std::shared_ptr<const InputFile> opened(const std::filesystem::path& path);

    std::shared_ptr<const InputFile> m_main;
    std::map<std::filesystem::path, FileIdentity> m_others; // as they were when the helper first read them
    std::stop_token m_stop;
    std::mutex m_mutex;
    std::optional<HelperProcess> m_helper;
    Descriptor m_socket;
};

} // namespace engine
