// SPDX-License-Identifier: GPL-3.0-or-later
// The one exception that the engine throws.
#pragma once

#include "engine/base/text.h"

#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>

namespace engine
{

enum class ErrorKind {
    badRequest, // the request can't be carried out as it stands
    badFile,    // a file can't be read, or doesn't hold what it should
    outside,    // a scan takes numbers from outside its folder, which nobody has allowed
    output,     // a result can't be written (permissions, full disk)
    noMemory,   // not enough host or device memory
    device,     // a GPU is missing, too old, or failed
    cancelled,  // the stop token was asked to stop
};

// The message says what was wrong, where (file, data set, value) and what to do.
class Error : public std::runtime_error
{
  public:
    Error(ErrorKind kind, const Text& message);
    ErrorKind kind() const noexcept { return m_kind; }
    const Text& text() const noexcept { return *m_text; } // what() is its plain form

  private:
    ErrorKind m_kind;
    std::shared_ptr<const Text> m_text; // shared, so that copies don't throw
};

// Throws Error(badRequest).
void require(bool condition, const char* message);
void require(bool condition, const std::string& message);
void require(bool condition, const Text& message);

// Throws Error(cancelled).
void throwIfStopped(const std::stop_token& stop);

// Exit status of the programs: 2 for bad requests and files, 130 when cancelled, 1 otherwise.
int exitStatus(ErrorKind kind) noexcept;

} // namespace engine
