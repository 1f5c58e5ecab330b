// SPDX-License-Identifier: GPL-3.0-or-later
// The only exception class that the engine throws.
#pragma once

#include "engine/base/text.h"

#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>

namespace engine
{

enum class ErrorKind {
    badRequest, // the request can't be carried out as it is
    badFile,    // a file can't be read, or has unexpected contents
    outside,    // a scan refers to data outside its folder, which nobody has allowed
    output,     // a result can't be written (permissions, full disk)
    noMemory,   // not enough host or device memory
    device,     // a GPU is missing, too old, or failed
    cancelled,  // stop was requested
};

// An error. Its message tells what is wrong, where (file, data set, value) and what to do.
class Error : public std::runtime_error
{
  public:
    Error(ErrorKind kind, const Text& message);
    ErrorKind kind() const noexcept { return m_kind; }
    const Text& text() const noexcept { return *m_text; } // what() is its plain form

  private:
    ErrorKind m_kind;
    std::shared_ptr<const Text> m_text; // shared, so that copying doesn't throw
};

// Throws Error(badRequest) with the message unless the condition is true.
void require(bool condition, const char* message);
void require(bool condition, const std::string& message);
void require(bool condition, const Text& message);

// Throws Error(cancelled) if stop was requested.
void throwIfStopped(const std::stop_token& stop);

inline constexpr int doubtedStatus = 3; // exit status for a result that is kept, but doubtful (--strict)

// Returns the exit status of the programs: 2 for bad requests and files, 130 when cancelled, 1 otherwise.
int exitStatus(ErrorKind kind) noexcept;

} // namespace engine
