// SPDX-License-Identifier: GPL-3.0-or-later
// Standard output and standard error of a command-line program, safe for terminals: control characters in texts or
// names of files cannot reach the terminal.
#pragma once

#include <iosfwd>
#include <mutex>
#include <streambuf>
#include <string>

namespace cli
{

// Stream buffer that replaces control characters by escapes (engine/base/printable.h), except line feeds and tabs.
// The destructor restores the stream's own buffer. Thread-safe.
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
    std::string m_begun; // first bytes of an incomplete UTF-8 character
};

} // namespace cli
