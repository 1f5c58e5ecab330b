// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/messages.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace engine
{

namespace
{

constexpr std::uint64_t mostMessageBytes = 1 << 28; // of a message

struct Head {
    std::uint32_t mark = 0x6f6e6973, kind = 0;
    std::uint64_t bytes = 0;
};

bool sendAll(int socket, const char* from, std::size_t bytes, bool isSent)
{
    while (bytes > 0) {
        const ssize_t some = isSent ? ::send(socket, from, bytes, MSG_NOSIGNAL) : ::write(socket, from, bytes);
        if (some < 0 && errno != EINTR)
            return false;
        from += std::max<ssize_t>(some, 0);
        bytes -= static_cast<std::size_t>(std::max<ssize_t>(some, 0));
    }
    return true;
}

// Receives some bytes, and a descriptor if there is room for one. Returns 0 at the end, or a negative value on failure.
ssize_t receiveSome(int socket, char* to, std::size_t bytes, Descriptor& descriptor)
{
    iovec part{to, bytes};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = room.data();
    header.msg_controllen = room.size();
    const ssize_t got = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    if (got > 0)
        for (cmsghdr* beside = CMSG_FIRSTHDR(&header); beside; beside = CMSG_NXTHDR(&header, beside))
            if (beside->cmsg_level == SOL_SOCKET && beside->cmsg_type == SCM_RIGHTS) {
                int number = -1;
                std::memcpy(&number, CMSG_DATA(beside), sizeof number);
                descriptor = Descriptor(number);
            }
    return got;
}

std::string withHead(MessageKind kind, const Parcel& parcel)
{
    const Head head{.kind = static_cast<std::uint32_t>(kind), .bytes = parcel.bytes().size()};
    return std::string(reinterpret_cast<const char*>(&head), sizeof head) + parcel.bytes();
}

} // namespace

Descriptor::~Descriptor()
{
    if (m_number >= 0)
        ::close(m_number);
}

Parcel& Parcel::add(const std::string& text)
{
    add(std::uint64_t{text.size()});
    m_bytes += text;
    return *this;
}

const char* Parcel::next(std::uint64_t bytes)
{
    if (bytes > m_bytes.size() - m_at)
        fail("an incomplete answer");
    const char* const at = m_bytes.data() + m_at;
    m_at += bytes;
    return at;
}

void Parcel::require(bool canBeTrue) const
{
    if (!canBeTrue)
        fail("an answer that can't be true");
}

void Parcel::fail(const char* answer) const
{
    throw Error(ErrorKind::badFile, (m_file.empty() ? Text() : fileText(m_file.string()) + ": ") +
                                        "the program that reads it gave " + answer + ".");
}

bool send(int socket, MessageKind kind, const Parcel& parcel, int descriptor)
{
    const std::string all = withHead(kind, parcel);
    iovec part{const_cast<char*>(all.data()), all.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (descriptor >= 0) {
        header.msg_control = room.data();
        header.msg_controllen = room.size();
        cmsghdr* const beside = CMSG_FIRSTHDR(&header);
        beside->cmsg_level = SOL_SOCKET;
        beside->cmsg_type = SCM_RIGHTS;
        beside->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(beside), &descriptor, sizeof descriptor);
    }
    ssize_t sent = -1;
    do {
        sent = ::sendmsg(socket, &header, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    const auto done = static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
    return sent > 0 && sendAll(socket, all.data() + done, all.size() - done, true);
}

bool write(int socket, MessageKind kind, const Parcel& parcel)
{
    const std::string all = withHead(kind, parcel);
    return sendAll(socket, all.data(), all.size(), false);
}

Received receive(int socket, std::optional<std::chrono::steady_clock::time_point> latest)
{
    constexpr std::size_t atFirst = 4096, together = 1 << 20; // allocated as bytes arrive, not as the head claims
    Message message;
    Head head;
    std::string bytes; // of the head and the parcel
    std::size_t done = 0;
    for (std::uint64_t wanted = sizeof head; done < wanted;) {
        if (latest) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(*latest - std::chrono::steady_clock::now());
            pollfd waited{socket, POLLIN, 0};
            if (left.count() <= 0)
                return {{}, true};
            if (::poll(&waited, 1, static_cast<int>(std::min<long long>(left.count(), 1 << 30))) <= 0)
                continue; // timed out, or interrupted
        }
        const bool hasHead = done >= sizeof head;
        bytes.resize(std::min<std::uint64_t>(hasHead ? wanted : atFirst, done + together));
        const ssize_t got = receiveSome(socket, bytes.data() + done, bytes.size() - done, message.descriptor);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return {};
        done += static_cast<std::size_t>(got);
        if (!hasHead && done >= sizeof head) {
            std::memcpy(&head, bytes.data(), sizeof head);
            if (head.mark != Head().mark || head.bytes > mostMessageBytes || done > sizeof head + head.bytes)
                return {}; // also after more than one message, as one is sent at a time
            wanted += head.bytes;
        }
    }
    message.kind = static_cast<MessageKind>(head.kind);
    message.parcel = Parcel(bytes.substr(sizeof head, head.bytes));
    return {std::move(message), false};
}

Parcel parcelOf(const Error& error)
{
    return std::move(Parcel().add(static_cast<std::int32_t>(error.kind())).add(toStrings(error.text())));
}

Error errorIn(Parcel& parcel)
{
    const auto kind = parcel.take<std::int32_t>();
    parcel.require(kind >= 0 && kind <= static_cast<int>(ErrorKind::cancelled));
    return {static_cast<ErrorKind>(kind), textFrom(parcel.takeList<std::string>())};
}

} // namespace engine
