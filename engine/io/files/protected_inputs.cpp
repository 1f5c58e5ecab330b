// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/protected_inputs.h"

#include "engine/base/error.h"
#include "engine/io/files/output_format.h"

#include <sys/stat.h>

#include <algorithm>

namespace engine
{

namespace fs = std::filesystem;

bool ProtectedInputs::identify(const fs::path& path, Identity& identity)
{
    struct stat found = {};
    if (::stat(path.empty() ? "." : path.c_str(), &found) != 0)
        return false;
    identity = {found.st_dev, found.st_ino};
    return true;
}

ProtectedInputs::ProtectedInputs(const Scan& scan) : m_scan(scan.name)
{
    const auto collect = [](const std::vector<fs::path>& paths, std::vector<Identity>& identities) {
        for (const fs::path& path : paths)
            if (Identity identity; identify(path, identity))
                identities.push_back(identity);
        std::sort(identities.begin(), identities.end());
    };
    collect(scan.files, m_files);
    collect(scan.folders, m_folders);
}

void ProtectedInputs::add(const NamedInput& input)
{
    std::error_code unreadable;
    Identity identity;
    if (input.file.empty() || !fs::is_regular_file(input.file, unreadable) || !identify(input.file, identity))
        return;
    m_named.emplace_back(identity, input.name);
}

void ProtectedInputs::refuse(const fs::path& output) const
{
    Identity identity;
    const bool isThere = identify(output, identity);
    if (isThere && std::binary_search(m_files.begin(), m_files.end(), identity))
        throw Error(ErrorKind::output, fileText(output.string()) + " is a file that the scan '" + m_scan +
                                           "' is read from; it is never overwritten. Choose another name.");
    for (const auto& [file, name] : m_named)
        if (isThere && file == identity)
            throw Error(ErrorKind::output, fileText(output.string()) + " is read as " + name +
                                               "; it is never overwritten. Choose another name.");
    if (hasTiffSuffix(output) && identify(output.parent_path(), identity) &&
        std::binary_search(m_folders.begin(), m_folders.end(), identity))
        throw Error(ErrorKind::output, fileText(output.string()) + " would be among the TIFF files that the scan '" +
                                           m_scan +
                                           "' is read from, and would become part of it. Choose another folder.");
}

} // namespace engine
