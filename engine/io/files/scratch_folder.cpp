// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/scratch_folder.h"

#include "engine/base/error.h"
#include "engine/base/remove_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>

namespace engine
{

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const fs::path& parent, const std::string& begin)
{
    std::string name = (parent / (begin + "-XXXXXX")).string();
    if (!::mkdtemp(name.data()))
        throw Error(ErrorKind::output, "The folder " + fileText(parent.string()) + " can't be written.");
    m_path = name;
    m_removed = name + "-removed";
    m_descriptor = ::open(name.c_str(), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    m_leftover.emplace(this, &ScratchFolder::remove);
}

ScratchFolder::~ScratchFolder()
{
    m_leftover.reset();
    remove(this);
    ::close(m_descriptor);
}

fs::path ScratchFolder::file(const std::string& name)
{
    const auto held = leftoversHeld(); // remove() reads the list in another thread
    m_files.push_back(name);
    return m_path / name;
}

void ScratchFolder::remove(void* scratchFolder) noexcept
{
    const auto& folder = *static_cast<const ScratchFolder*>(scratchFolder);
    // Threads that still write can't create files in it any more under its old name.
    const bool isRenamed = std::rename(folder.m_path.c_str(), folder.m_removed.c_str()) == 0;
    for (const std::string& file : folder.m_files)
        removeFile(file.c_str(), folder.m_descriptor);
    if (removeFolder(isRenamed ? folder.m_removed : folder.m_path) && isRenamed)
        std::rename(folder.m_removed.c_str(), folder.m_path.c_str());
}

} // namespace engine
