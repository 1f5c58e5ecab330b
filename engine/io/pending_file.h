// A file on its way: stands under a temporary name beside its final one until it is complete.
#pragma once

#include "engine/io/inputs.h"

#include <filesystem>

namespace engine
{

class PendingFile
{
  public:
    // Makes an empty file under the temporary name. Throws Error(output): the final name exists and
    // overwrite is false, or is no ordinary file, or one of the inputs; the folder is missing or can't be
    // written.
    PendingFile(const std::filesystem::path& path, bool overwrite, const Inputs& inputs);
    ~PendingFile(); // removes what was not committed
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const std::filesystem::path& temporary() const { return m_temporary; }
    const std::filesystem::path& path() const { return m_path; }
    void requireFree() const; // that it could be committed now; throws Error(output)
    void commit();            // renames; throws Error(output)

  private:
    std::filesystem::path m_path, m_temporary;
    bool m_overwrite;
    bool m_done = false;
};

} // namespace engine
