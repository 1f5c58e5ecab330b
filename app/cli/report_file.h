// SPDX-License-Identifier: GPL-3.0-or-later
// Where --json or --profile goes: nowhere, a file, or standard output.
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
    // target: empty for none, "-" for standard output. A file is begun at once under another name, so
    // that what can't be written fails before any long work. One that exists is replaced where `overwrite` says so,
    // and only if it begins with one of `beginnings`: a scan named by mistake comes to no harm. A pipe that nothing
    // reads is refused. Throws Error(output), naming `option`.
    ReportFile(const std::string& target, bool overwrite, std::string option = "--json", std::string beginnings = "{[");
    ~ReportFile();
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;

    // False when standard output belongs to the report.
    bool textWanted() const { return m_target != "-"; }

    // Throws Error(output) when the target is one of the inputs; write() does so then, too.
    void refuse(const engine::ProtectedInputs& inputs);

    // Once; nothing without a target. Throws Error(output).
    void write(const std::string& text);

  private:
    void open(const std::filesystem::path& path);
    void put(std::string_view text);
    [[noreturn]] void fail(const std::string& why) const;

    std::string m_target;
    std::string m_option;
    std::optional<engine::PendingFile> m_pending; // none of a device or a pipe, which is written to as it is
    int m_descriptor = -1;
    std::optional<engine::Error> m_refused;
};

} // namespace cli
