// SPDX-License-Identifier: GPL-3.0-or-later
// A helper process and the socket to it.
#pragma once

#include "engine/io/check/helper_process.h"
#include "engine/io/check/messages.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// A running helper that is asked one question at a time. After an error other than the helper's own answer it is no
// longer usable.
class HelperChannel
{
  public:
    // Starts the helper; `file` is for messages. Throws Error(badFile), noMemory.
    HelperChannel(std::filesystem::path file, const std::filesystem::path& program, std::vector<std::string> arguments);

    bool isUsable() const; // false: it has ended, or belongs to the process of which this one is a copy (fork)

    using Reply = std::function<void(int socket, Message& message)>;
    // Sends a question, which begins with its number and `workBytes` (limitsOfQuestion), and waits for the answer.
    // reply: called for what the helper asks meanwhile. Throws the error of the helper; Error(badFile) if it crashes or
    // exceeds its limits; noMemory; cancelled.
    Parcel exchange(const Parcel& question, double workBytes, int descriptor = -1, const std::stop_token& stop = {},
                    const Reply& reply = {});

  private:
    std::filesystem::path m_file;
    std::optional<HelperProcess> m_process;
    Descriptor m_socket;
};

// Creates memory of a fixed size that a helper shares. Throws std::bad_alloc.
Descriptor sharedMemory(std::size_t bytes);

} // namespace engine
