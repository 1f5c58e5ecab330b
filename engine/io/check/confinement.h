// SPDX-License-Identifier: GPL-3.0-or-later
// Limits and restrictions of the process that reads untrusted files first (file_check.h).
#pragma once

#include "engine/io/check/helper_process.h"

#include <cstdint>

namespace engine
{

enum class Opening { isAllowed, isForbidden }; // of files, for reading

// Confines this process from now on: no core dump, no file written, renamed or removed, no network, no other program,
// no signal to another process. Restrictions that the system doesn't support, in a container say, are skipped.
void confineProcess(Opening opening);

// Limits this process for the next question: to a constant, plus what `valueBytes` bytes of values need, never above
// the limits that it was started with.
HelperLimits limitsOfQuestion(double valueBytes);
void limitQuestion(double valueBytes);

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

// Limits on the memory and time that a reading may take. They grow with each file that belongs to the scan.
class ReadingLimits
{
  public:
    void add(std::int64_t fileBytes);

    double memoryBytes() const; // address space
    int processorSeconds() const;
    int seconds() const; // elapsed time, with a margin for slow disks

    void apply() const; // limits this process, never above the limits that it was started with

  private:
    double m_bytes = 0;
    int m_files = 0;
};

} // namespace engine
