// SPDX-License-Identifier: GPL-3.0-or-later
// The target of --json or --profile: none, a file, or standard output.
#pragma once

#include "engine/base/error.h"
#include "engine/io/files/pending_file.h"
#include "engine/io/files/protected_inputs.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace cli
{

class ReportFile
{
  public:
    // target: empty for none, "-" for standard output. A temporary file is created immediately, so that an unwritable
    // target fails before any long work. An existing file is replaced only if `overwrite` is set and the file is empty
    // or begins with one of the characters in `beginnings`: this protects a scan that was named by mistake. A pipe
    // without a reader is refused. Throws Error(output), naming `option`.
    ReportFile(const std::string& target, bool overwrite, std::string option = "--json", std::string beginnings = "{[");
    ~ReportFile();
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;

    // False when standard output belongs to the report.
    bool textWanted() const { return m_target != "-"; }

    // Throws Error(output) when the target is one of the inputs; write() then throws it, too.
    void refuse(const engine::ProtectedInputs& inputs);

    // Writes the report; call it once. Does nothing without a target. Throws Error(output).
    void write(const std::string& text);

  private:
    void open(const std::filesystem::path& path);
    void put(std::string_view text);
    [[noreturn]] void fail(const std::string& why) const;

    std::string m_target;
    std::string m_option;
    std::optional<engine::PendingFile> m_pending; // empty for a device or a pipe, which is written to directly
    int m_descriptor = -1;
    std::optional<engine::Error> m_refused;
};

} // namespace cli
