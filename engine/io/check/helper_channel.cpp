// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/helper_channel.h"

#include "engine/base/error.h"
#include "engine/io/check/confinement.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <new>
#include <utility>

namespace engine
{

HelperChannel::HelperChannel(std::filesystem::path file, const std::filesystem::path& program,
                             std::vector<std::string> arguments)
    : m_file(std::move(file))
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        failToStart(m_file, errno);
    m_socket = Descriptor(ends[0]);
    const Descriptor theirs(ends[1]);
    m_process.emplace(program, std::move(arguments), m_file, theirs.number());
}

bool HelperChannel::isUsable() const
{
    return m_process && m_process->isOurs();
}

Parcel HelperChannel::exchange(const Parcel& question, double workBytes, int descriptor, const std::stop_token& stop,
                               const Reply& reply)
{
    const HelperLimits limits = limitsOfQuestion(workBytes);
    const int seconds = 30 + 10 * limits.processorSeconds; // with a margin for slow disks
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    bool isLate = false;
    std::optional<Message> answer;
    try {
        const std::stop_callback onStop(stop, [this] { m_process->kill(); });
        for (bool isOpen = send(m_socket.number(), MessageKind::question, question, descriptor); isOpen && !answer;) {
            Received received = receive(m_socket.number(), latest);
            isLate = received.isLate;
            isOpen = received.message.has_value();
            if (isOpen &&
                (received.message->kind == MessageKind::answer || received.message->kind == MessageKind::failure))
                answer = std::move(received.message);
            else if (isOpen && reply)
                reply(m_socket.number(), *received.message);
        }
    } catch (...) { // the helper's next message would not be the answer to the next question
        m_process.reset();
        throw;
    }
    if (!answer) {
        const int status = m_process->end();
        m_process.reset();
        throwIfStopped(stop);
        if (isLate)
            refuseLate(m_file, seconds);
        refuseEnded(m_file, status, limits);
    }
    answer->parcel.setFile(m_file);
    if (answer->kind == MessageKind::failure)
        throw errorIn(answer->parcel);
    return std::move(answer->parcel);
}

Descriptor sharedMemory(std::size_t bytes)
{
    Descriptor memory(::memfd_create("sinoscope-values", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (memory.number() < 0 || ::ftruncate(memory.number(), static_cast<off_t>(bytes)) != 0 ||
        ::fcntl(memory.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        throw std::bad_alloc();
    return memory;
}

} // namespace engine
