// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/created_folders.h"

#include "engine/base/error.h"
#include "engine/base/remove_file.h"
#include "engine/io/files/creation_error.h"

#include <system_error>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

MadeFolders::MadeFolders(const fs::path& folder)
{
    std::error_code failure;
    const fs::path whole = fs::absolute(folder / "", failure); // fails if the working directory no longer exists
    for (fs::path at = whole.lexically_normal().parent_path();
         !failure && at.has_relative_path() && !fs::exists(at, failure); at = at.parent_path())
        m_made.insert(m_made.begin(), at);
    m_leftover.emplace(this, &MadeFolders::remove);
    const auto held = leftoversHeld();
    if (!failure)
        fs::create_directories(folder, failure);
    if (failure || !fs::is_directory(folder, failure))
        throw Error(ErrorKind::output,
                    "The folder " + fileText(folder.string()) + " can't be created" +
                        (failure ? ": " + whyNotMade(whole.lexically_normal().parent_path(), failure.value()) : "") +
                        ".");
}

MadeFolders::MadeFolders(std::vector<fs::path> made) : m_made(std::move(made))
{
    m_leftover.emplace(this, &MadeFolders::remove);
}

MadeFolders::~MadeFolders()
{
    remove(this); // fails for a folder that others have put files into: it stays
}

void MadeFolders::remove(void* madeFolders) noexcept
{
    const auto& made = *static_cast<MadeFolders*>(madeFolders);
    for (auto folder = made.m_made.rbegin(); !made.m_kept && folder != made.m_made.rend(); ++folder)
        removeFolder(*folder);
}

} // namespace engine
