// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/file_check.h"

#include "engine/base/error.h"
#include "engine/io/check/check_program.h"
#include "engine/io/check/readings.h"
#include "engine/io/files/growing_file.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

struct CheckedFiles {
    struct File {
        FileIdentity identity;
        bool isOwn = false; // written by this process
    };
    std::mutex mutex;
    std::map<fs::path, File> files;
    std::map<std::vector<std::string>, std::vector<fs::path>> readings; // with the files that each reading opens
    std::function<void(const fs::path&, const FileIdentity&)> opened;   // only in the helper
    std::set<fs::path> openedFiles;
};

CheckedFiles& checkedFiles()
{
    static CheckedFiles all;
    return all;
}

// Returns whether the check of a file still holds: the file hasn't changed. Two changes are allowed: a new device or
// inode number, as some file systems (FUSE) renumber their files; and growth of a file that is written while others
// read it (SWMR), as its earlier contents stay.
bool isUsable(const FileIdentity& checked, const fs::path& path, const FileIdentity& now)
{
    const bool isAsOld =
        now.bytes == checked.bytes && now.modifiedNs == checked.modifiedNs && now.changedNs == checked.changedNs;
    const bool isSameFile = now.device == checked.device && now.inode == checked.inode;
    return isAsOld || (isSameFile && now.bytes >= checked.bytes && isWrittenBySwmr(path));
}

enum class Growth { isChange, isAllowed };

// Returns whether the reading was checked and its files haven't changed since.
bool isChecked(const std::vector<std::string>& reading, Growth growth)
{
    CheckedFiles& all = checkedFiles();
    const std::lock_guard lock(all.mutex);
    const auto isSame = [&](const fs::path& path) {
        const auto known = all.files.find(path);
        const auto now = known == all.files.end() ? std::nullopt : identityOf(path);
        return now && (growth == Growth::isChange ? known->second.identity == *now
                                                  : isUsable(known->second.identity, path, *now));
    };
    if (const auto own = all.files.find(readingFile(reading)); own != all.files.end() && own->second.isOwn)
        return isSame(own->first);
    const auto done = all.readings.find(reading);
    return done != all.readings.end() && std::ranges::all_of(done->second, isSame);
}

void note(const std::vector<std::string>& reading, const CheckAnswer& answer)
{
    CheckedFiles& all = checkedFiles();
    const std::lock_guard lock(all.mutex);
    std::vector<fs::path>& files = all.readings[reading];
    files.clear();
    for (const auto& [path, identity] : answer.files) {
        all.files[path] = {identity, false};
        files.push_back(path);
    }
}

// Returns whether the error lies in the request, not in the file. Such an error isn't reported from the helper: the
// reading that follows here reports it in the words of its caller.
bool isForTheAsker(ErrorKind kind)
{
    return kind == ErrorKind::badRequest || kind == ErrorKind::outside;
}

} // namespace

void requireChecked(const std::vector<std::string>& reading, const std::stop_token& stop)
{
    if (isHelper() || isChecked(reading, Growth::isChange))
        return;
    const fs::path file = readingFile(reading);
    constexpr int mostTries = 3;
    for (int k = 0; k < mostTries; ++k) {
        const CheckAnswer answer = runCheck(reading, file, stop);
        if (answer.refusal && !isForTheAsker(answer.refusal->kind()))
            throw Error(*answer.refusal);
        note(reading, answer);
        if (isChecked(reading, Growth::isAllowed))
            return;
    }
    throw Error(ErrorKind::badFile,
                fileText(file.string()) +
                    " can't be opened: it, or a file that it refers to, keeps changing. Open it when it is complete.");
}

void requireChecked(const InputFile& file)
{
    CheckedFiles& all = checkedFiles();
    {
        const std::lock_guard lock(all.mutex);
        if (all.opened) {
            if (all.openedFiles.insert(file.path()).second)
                all.opened(file.path(), file.identity());
            return;
        }
        if (const auto known = all.files.find(file.path());
            known != all.files.end() && isUsable(known->second.identity, file.path(), file.identity()))
            return;
    }
    const std::vector<std::string> reading = readingOfFile(file.path());
    // A refusal isn't thrown: the reading that follows here fails in the same way.
    const CheckAnswer answer = runCheck(reading, file.path(), {});
    note(reading, answer);
    const auto isThis = [&](const auto& read) {
        return read.first == file.path() && isUsable(read.second, read.first, file.identity());
    };
    if (!answer.refusal && std::ranges::none_of(answer.files, isThis))
        throw Error(ErrorKind::badFile,
                    fileText(file.path().string()) +
                        " can't be opened: it was changed while it was being opened. Open it again.");
}

void beHelper(std::function<void(const fs::path&, const FileIdentity&)> opened)
{
    checkedFiles().opened = std::move(opened);
}

bool isHelper()
{
    return static_cast<bool>(checkedFiles().opened);
}

} // namespace engine
