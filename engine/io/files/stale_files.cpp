// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/stale_files.h"

#include "engine/base/remove_file.h"
#include "engine/io/files/folder_entries.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <optional>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr const char* ending = ".part";
constexpr const char* unknownComputer = "0";

// Returns when a process started, in clock ticks since the computer was started; nothing if there is no such process,
// or no /proc.
std::optional<std::string> startedAt(const std::string& process)
{
    std::ifstream file("/proc/" + process + "/stat");
    std::string line;
    if (!std::getline(file, line) || line.rfind(')') == std::string::npos)
        return {};
    std::size_t at = line.rfind(')'); // ends the program's name, which may contain any character
    for (int field = 2; field < 22 && at != std::string::npos; ++field)
        at = line.find(' ', at + 1);
    if (at == std::string::npos)
        return {};
    return line.substr(at + 1, line.find(' ', at + 1) - at - 1);
}

// Identifies the space in which process numbers are valid, as eight digits: a hash of the computer's boot and the
// container (PID namespace).
std::string computer()
{
    std::string start;
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::error_code unknown;
    const fs::path numbers = fs::read_symlink("/proc/self/ns/pid", unknown);
    if (!std::getline(file, start) || start.empty() || unknown)
        return unknownComputer;
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (const char c : start + numbers.string())
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    std::array<char, 16> digits;
    std::snprintf(digits.data(), digits.size(), "%08x", hash);
    return digits.data();
}

std::string thisProcess()
{
    static std::mutex mutex;
    static pid_t known = 0; // to notice a fork: a child must not use its parent's name
    static std::string name;
    const std::lock_guard lock(mutex);
    if (known != ::getpid()) {
        const std::string number = std::to_string(::getpid());
        name = number + '-' + startedAt(number).value_or("0") + '-' + computer();
        known = ::getpid();
    }
    return name;
}

enum class Whose { nobodys, somebodys, unknown };

// Finds the owner of a temporary file by the PROCESS-ATTEMPT part of its name, such as "4242-183726-1a2b3c4d-0".
Whose whoseIs(const std::string& process)
{
    std::vector<std::string> parts;
    for (std::size_t first = 0; first <= process.size();) {
        const std::size_t end = std::min(process.find('-', first), process.size());
        parts.push_back(process.substr(first, end - first));
        first = end + 1;
    }
    if (parts.size() != 4 || parts[2] == unknownComputer || parts[2] != computer())
        return Whose::unknown;
    int number = 0;
    const char* end = parts[0].data() + parts[0].size();
    if (const auto [rest, error] = std::from_chars(parts[0].data(), end, number);
        error != std::errc{} || rest != end || number < 1)
        return Whose::unknown;
    if (::kill(number, 0) != 0 && errno == ESRCH)
        return Whose::nobodys;
    const std::optional<std::string> begun = startedAt(parts[0]);
    return begun && *begun != parts[1] ? Whose::nobodys : Whose::somebodys;
}

} // namespace

std::string temporaryName(const std::string& name, int attempt)
{
    return std::string(1, '.').append(name) + '.' + thisProcess() + '-' + std::to_string(attempt) + ending;
}

std::string seenName(const std::string& name)
{
    return name + ".seen";
}

std::vector<fs::path> clearUnfinished(const fs::path& folder,
                                      const std::function<bool(const std::string& name)>& isOurs)
{
    std::vector<fs::path> others;
    std::error_code unreadable;
    for (const FolderEntry& entry : entriesOf(folder.empty() ? "." : folder, unreadable)) {
        std::string name = entry.path.filename().string();
        if (!name.starts_with('.') || !name.ends_with(ending) || !entry.isFile())
            continue;
        name = name.substr(1, name.size() - 1 - std::string_view(ending).size());
        const std::size_t dot = name.rfind('.');
        if (dot == std::string::npos || dot == 0 || !isOurs(name.substr(0, dot)))
            continue;
        const Whose whose = whoseIs(name.substr(dot + 1));
        if (whose == Whose::unknown)
            others.push_back(entry.path);
        else if (whose == Whose::nobodys)
            removeFile(entry.path);
    }
    std::sort(others.begin(), others.end());
    return others;
}

std::string unfinishedText(const std::vector<fs::path>& files)
{
    if (files.empty())
        return {};
    const bool one = files.size() == 1;
    return "'" + files.front().string() + "'" + (one ? "" : " and " + std::to_string(files.size() - 1) + " more") +
           (one ? " is" : " are") +
           " left by a program that was stopped early, or that still runs on another computer. If no such program is "
           "running any more, remove " +
           (one ? "it." : "them.");
}

} // namespace engine
