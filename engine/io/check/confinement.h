// SPDX-License-Identifier: GPL-3.0-or-later
// Limits and restrictions of the process that reads untrusted files (helper_session.h).
#pragma once

#include "engine/io/check/helper_process.h"

namespace engine
{

// Confines this process from now on: no core dump, no file opened, written, renamed or removed, no network, no other
// program, no signal to another process. Restrictions that the system doesn't support, in a container say, are skipped.
void confineProcess();

// Limits this process for the next question: to a constant, plus what processing `workBytes` bytes needs, never above
// the limits that it was started with.
HelperLimits limitsOfQuestion(double workBytes);
void limitQuestion(double workBytes);

// A permission to write up to `bytes` bytes into each open file, valid while the object lives. A confined process can
// only have files in its own memory open for writing.
class RoomForCopy
{
  public:
    explicit RoomForCopy(double bytes);
    ~RoomForCopy();
    RoomForCopy(const RoomForCopy&) = delete;
    RoomForCopy& operator=(const RoomForCopy&) = delete;
};

} // namespace engine
