// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/outside_files.h"

#include "engine/base/number_text.h"

#include <algorithm>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

std::string quotedList(const std::vector<fs::path>& paths)
{
    constexpr std::size_t most = 3;
    std::vector<std::string> names;
    for (const fs::path& path : paths)
        if (names.size() < most)
            names.push_back("'" + path.string() + "'");
    if (paths.size() > most)
        names.push_back(std::to_string(paths.size() - most) + " more");
    return listed(names);
}

void noteOutside(Scan& scan, const fs::path& file, const std::vector<fs::path>& ledTo)
{
    std::error_code unknown;
    const fs::path folders[] = {fs::weakly_canonical(fs::absolute(file, unknown).parent_path(), unknown),
                                fs::weakly_canonical(file, unknown).parent_path()};
    const auto isBelow = [](const fs::path& target, const fs::path& folder) {
        return !folder.empty() && std::ranges::mismatch(folder, target).in1 == folder.end();
    };
    for (const fs::path& path : ledTo) {
        const fs::path target = fs::weakly_canonical(path, unknown);
        if (std::ranges::none_of(folders, [&](const fs::path& folder) { return isBelow(target, folder); }))
            scan.outside.push_back(target.empty() ? path : target);
    }
    if (!scan.outside.empty())
        scan.notes.push_back("The scan refers to files outside its folder; Sinoscope also reads " +
                             quotedList(scan.outside) + ".");
}

} // namespace engine
