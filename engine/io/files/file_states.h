// SPDX-License-Identifier: GPL-3.0-or-later
// Files as they were when a scan was opened, and whether they still are.
#pragma once

#include <filesystem>
#include <vector>

namespace engine
{

class FileStates
{
  public:
    // To be made while nothing is known to have been wrong. Files that can't be looked at are left to who reads them.
    void add(const std::vector<std::filesystem::path>& files, bool mayGrow);

    // To be asked after reading, before what was read is believed: a file that shrank meanwhile may have been read as
    // zeros (by HDF5), one that was written again as a part of each. Throws Error(badFile) that names the file. One
    // that may grow still has what it had, and more behind it.
    void requireUnchanged() const;
    bool areUnchanged() const;

  private:
    struct State {
        unsigned long long device = 0, inode = 0;
        long long bytes = 0, modifiedNs = 0;
    };
    struct File {
        std::filesystem::path path;
        State before;
        bool mayGrow;
    };
    static State stateOf(const std::filesystem::path& path, int& error);
    static void require(const File& file);

    std::vector<File> m_files;
};

} // namespace engine
