// Where --json or --profile goes: nowhere, a file, or standard output.
#pragma once

#include "engine/io/inputs.h"

#include <filesystem>
#include <fstream>
#include <string>

namespace cli
{

class ReportFile
{
  public:
    // target: empty for none, "-" for standard output. A file is begun at once under another name, so
    // that what can't be written fails before any long work. Only a file that begins with one of
    // `beginnings` is replaced: a scan named by mistake comes to no harm. Throws Error(output), naming `option`.
    explicit ReportFile(const std::string& target, std::string option = "--json", std::string beginnings = "{[");
    ~ReportFile(); // removes what was begun and not written
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;

    // False when standard output belongs to the report.
    bool textWanted() const { return m_target != "-"; }

    // Throws Error(output) when the target is one of the inputs.
    void refuse(const engine::Inputs& inputs) const;

    // Once; nothing without a target. Throws Error(output).
    void write(const std::string& text);

  private:
    std::string m_target;
    std::string m_option;
    std::filesystem::path m_unfinished; // empty when there is nothing to rename or remove
    std::ofstream m_file;
};

} // namespace cli
