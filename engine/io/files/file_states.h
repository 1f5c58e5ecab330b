// SPDX-License-Identifier: GPL-3.0-or-later
// The states of files when a scan was opened, to detect later changes.
#pragma once

#include <filesystem>
#include <vector>

namespace engine
{

class FileStates
{
  public:
    // Records the present states. To be called before reading the data that requireUnchanged() is to check. Files whose
    // state can't be read are skipped; whoever reads them reports it.
    void add(const std::vector<std::filesystem::path>& files, bool mayGrow);

    // Checks that no file has changed since. To be called after reading and before the data is used: a file that
    // shrank meanwhile may have been read as zeros (by HDF5), and a file that was rewritten meanwhile may have been
    // read as a mixture of both versions. Throws Error(badFile) that names the file. A file that may grow is allowed to
    // be longer than before, but not shorter.
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
