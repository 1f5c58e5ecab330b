// SPDX-License-Identifier: GPL-3.0-or-later
// Standard output and standard error of a program of the command line: no text that comes from a file, or from the name
// of one, can command the terminal, whoever prints it.
#pragma once

#include <iosfwd>
#include <mutex>
#include <streambuf>
#include <string>

namespace cli
{

// Passes on what a stream gets with escapes in place of controls (engine/base/printable.h), but for line feeds and
// tabs. For as long as it lives; the stream's own buffer comes back then. From any thread.
class SafeOutput : public std::streambuf
{
  public:
    explicit SafeOutput(std::ostream& stream);
    ~SafeOutput() override;
    SafeOutput(const SafeOutput&) = delete;
    SafeOutput& operator=(const SafeOutput&) = delete;

  protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char_type* characters, std::streamsize count) override;
    int sync() override;

  private:
    bool pass(const std::string& text);

    std::ostream& m_stream;
    std::streambuf* m_to;
    std::mutex m_mutex;
    std::string m_begun; // of a character
};

} // namespace cli
