// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"

namespace engine
{

Error::Error(ErrorKind kind, const Text& message)
    : std::runtime_error(message.plain()), m_kind(kind), m_text(std::make_shared<const Text>(message))
{
}

void require(bool condition, const char* message)
{
    if (!condition)
        throw Error(ErrorKind::badRequest, message);
}

void require(bool condition, const std::string& message)
{
    if (!condition)
        throw Error(ErrorKind::badRequest, message);
}

void require(bool condition, const Text& message)
{
    if (!condition)
        throw Error(ErrorKind::badRequest, message);
}

void throwIfStopped(const std::stop_token& stop)
{
    if (stop.stop_requested())
        throw Error(ErrorKind::cancelled, "cancelled");
}

int exitStatus(ErrorKind kind) noexcept
{
    switch (kind) {
    case ErrorKind::badRequest:
    case ErrorKind::badFile:
    case ErrorKind::outside:
    case ErrorKind::output:
        return 2;
    case ErrorKind::cancelled:
        return 130;
    case ErrorKind::noMemory:
    case ErrorKind::device:
        break;
    }
    return 1;
}

} // namespace engine
