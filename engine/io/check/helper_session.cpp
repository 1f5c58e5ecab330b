// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/helper_session.h"

#include "engine/base/error.h"
#include "engine/io/files/folder_entries.h"

#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// Returns whether an open file is the one that was read before. File systems in user space may have given it another
// number meanwhile.
bool isSame(const FileIdentity& was, const InputFile& file)
{
    constexpr long userSpace = 0x65735546; // FUSE_SUPER_MAGIC
    const FileIdentity& now = file.identity();
    struct statfs system = {};
    return (was.device == now.device && was.inode == now.inode) ||
           (was.bytes == now.bytes && was.modifiedNs == now.modifiedNs && was.changedNs == now.changedNs &&
            ::fstatfs(file.descriptor(), &system) == 0 && system.f_type == userSpace);
}

} // namespace

HelperSession::HelperSession(const fs::path& path, std::stop_token stop, fs::path program)
    : m_main(std::make_shared<const InputFile>(path)), m_stop(std::move(stop)), m_program(std::move(program))
{
}

Parcel HelperSession::ask(HelperQuestion question, const fs::path& file, const std::string& path, const Parcel& more,
                          double workBytes)
{
    return exchange(question, file, path, more, workBytes, -1);
}

void HelperSession::askForValues(HelperQuestion question, const fs::path& file, const std::string& path,
                                 const Parcel& more, char* values, std::size_t bytes, double workBytes)
{
    if (bytes == 0)
        return;
    const Descriptor memory = sharedMemory(bytes);
    exchange(question, file, path, more, workBytes + static_cast<double>(bytes), memory.number());
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t got = ::pread(memory.number(), values + done, bytes - done, static_cast<off_t>(done));
        if (got == 0 || (got < 0 && errno != EINTR))
            m_main->fail(std::generic_category().message(got == 0 ? EIO : errno));
        done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
}

Parcel HelperSession::exchange(HelperQuestion question, const fs::path& file, const std::string& at, const Parcel& more,
                               double workBytes, int memory)
{
    Parcel asked;
    asked.add(static_cast<std::uint32_t>(question)).add(workBytes).add(file).add(at);
    asked = Parcel(asked.bytes() + more.bytes());
    const std::lock_guard lock(m_mutex);
    throwIfStopped(m_stop);
    if (!m_helper || !m_helper->isUsable())
        m_helper.emplace(path(), m_program.empty() ? helperFor(path()) : m_program, std::vector<std::string>{"read"});
    return m_helper->exchange(asked, workBytes, memory, m_stop,
                              [this](int socket, Message& message) { reply(socket, message); });
}

std::shared_ptr<PluginDecoders> HelperSession::plugins()
{
    const std::lock_guard lock(m_mutex);
    if (!m_plugins)
        m_plugins = std::make_shared<PluginDecoders>(path());
    return m_plugins;
}

std::vector<std::optional<FileIdentity>> HelperSession::filesWhenOpened(const std::vector<fs::path>& files)
{
    const std::lock_guard lock(m_mutex);
    std::vector<std::optional<FileIdentity>> identities;
    for (const fs::path& file : files)
        if (file == path())
            identities.emplace_back(m_main->identity());
        else if (const auto known = m_others.find(file); known != m_others.end())
            identities.emplace_back(known->second);
        else
            identities.emplace_back();
    return identities;
}

void HelperSession::forgetOldFiles()
{
    const std::lock_guard lock(m_mutex);
    std::vector<std::optional<FileIdentity>> states{identityOf(path())};
    for (const auto& [path, before] : m_others)
        states.push_back(identityOf(path));
    if (states != m_states)
        m_helper.reset();
    m_states = std::move(states);
}

void HelperSession::outliveStop()
{
    const std::lock_guard lock(m_mutex);
    m_stop = {};
}

// What the helper can't do itself. If it has gone, the next message doesn't come.
void HelperSession::reply(int socket, Message& message)
{
    if (message.kind == MessageKind::wantFile) {
        const auto file = opened(message.parcel.take<fs::path>());
        send(socket, MessageKind::answer, {}, file ? file->descriptor() : -1);
    } else {
        std::vector<std::string> names;
        std::error_code unreadable;
        for (const FolderEntry& entry : entriesOf(message.parcel.take<fs::path>(), unreadable))
            names.push_back(entry.path.filename().string());
        send(socket, MessageKind::answer, Parcel().add(names));
    }
}

// Returns null for a file that isn't there, can't be read, or must not be read.
std::shared_ptr<const InputFile> HelperSession::opened(const fs::path& path)
{
    if (path == m_main->path())
        return m_main;
    if (!whyNotLedTo(path).empty())
        return nullptr;
    try {
        auto file = std::make_shared<const InputFile>(path);
        const auto [known, isNew] = m_others.try_emplace(path, file->identity());
        return isNew || isSame(known->second, *file) ? file : nullptr;
    } catch (const Error&) { // whoever needs the file finds out why
        return nullptr;
    }
}

std::shared_ptr<const InputFile> HelperSession::open(const fs::path& path)
{
    const std::lock_guard lock(m_mutex);
    auto file = opened(path);
    if (!file)
        InputFile(path).fail("another file has taken its place since the scan was opened. Open it again");
    return file;
}

} // namespace engine
