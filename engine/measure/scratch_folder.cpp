// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/scratch_folder.h"

#include "engine/base/error.h"

#include <stdlib.h>

namespace engine
{

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const fs::path& parent)
{
    std::error_code ignored;
    if (fs::create_directories(parent, ignored))
        m_made = parent;
    std::string name = (parent / "sinoscope-benchmark-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw Error(ErrorKind::output, "The folder " + fileText(parent.string()) + " can't be written.");
    m_path = name;
    m_removed = name + "-removed";
    m_leftover.emplace(this, &ScratchFolder::remove);
}

ScratchFolder::~ScratchFolder()
{
    m_leftover.reset();
    remove(this);
}

void ScratchFolder::remove(void* scratchFolder) noexcept
{
    const auto& folder = *static_cast<const ScratchFolder*>(scratchFolder);
    std::error_code failed;
    fs::rename(folder.m_path, folder.m_removed, failed); // threads that still write can't create files in it any more
    fs::remove_all(failed ? folder.m_path : folder.m_removed, failed);
    if (!folder.m_made.empty())
        fs::remove(folder.m_made, failed); // fails if others have put something there
}

} // namespace engine
