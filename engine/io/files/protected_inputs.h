// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a run reads, which no output may replace.
#pragma once

#include "engine/scan/scan.h"

#include <compare>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// A file that is read in addition to a scan, and the option that names it: "--settings".
struct NamedInput {
    std::filesystem::path file;
    std::string name;
};

// The files that are read, identified by device and inode, so that links and other spellings of a path are
// recognised. The identities are those at the time of construction. Fast enough to be asked for thousands of outputs.
class ProtectedInputs
{
  public:
    ProtectedInputs() = default; // protects nothing
    explicit ProtectedInputs(const Scan& scan);
    void add(const NamedInput& input); // does nothing if the path is empty or isn't a file

    // Throws Error(output) if `output` is one of the files (symbolic and hard links included), or a TIFF in a folder
    // that is read as a whole, where it would become part of the scan.
    void refuse(const std::filesystem::path& output) const;

  private:
    struct Identity {
        unsigned long long device = 0, inode = 0;
        auto operator<=>(const Identity&) const = default;
    };
    static bool identify(const std::filesystem::path& path, Identity& identity);

    std::string m_scan;                       // its name, for messages
    std::vector<Identity> m_files, m_folders; // sorted
    std::vector<std::pair<Identity, std::string>> m_named;
};

} // namespace engine
