// Where --json or --profile goes: nowhere, a file, or standard output.
#pragma once

#include "engine/io/inputs.h"
#include "engine/io/pending_file.h"

#include <fstream>
#include <optional>
#include <string>

namespace cli
{

class ReportFile
{
  public:
    // target: empty for none, "-" for standard output. A file is begun at once under another name, so
    // that what can't be written fails before any long work. One that exists is replaced where `overwrite` says so,
    // and only if it begins with one of `beginnings`: a scan named by mistake comes to no harm. Throws Error(output),
    // naming `option`.
    ReportFile(const std::string& target, bool overwrite, std::string option = "--json", std::string beginnings = "{[");

    // False when standard output belongs to the report.
    bool textWanted() const { return m_target != "-"; }

    // Throws Error(output) when the target is one of the inputs.
    void refuse(const engine::Inputs& inputs) const;

    // Once; nothing without a target. Throws Error(output).
    void write(const std::string& text);

  private:
    std::string m_target;
    std::string m_option;
    std::optional<engine::PendingFile> m_pending; // none of a device or a pipe, which is written to as it is
    std::ofstream m_file;
};

} // namespace cli
