#include "engine/error.h"

namespace engine
{

int exitStatus(ErrorKind kind) noexcept
{
    switch (kind) {
    case ErrorKind::badRequest:
    case ErrorKind::badFile:
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
