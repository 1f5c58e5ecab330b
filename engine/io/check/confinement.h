// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of the process that reads untrusted files first (file_check.h), and what it may not do.
#pragma once

#include <cstdint>

namespace engine
{

// Of the process from now on: no core dump, no file written, renamed or removed, no network, no other program, no
// signal to another process. What the system doesn't offer, in a container say, is left out.
void confineProcess();

// While it lives a confined process may write so many bytes into each file that it has open. What it opens are files in
// its own memory alone.
class RoomForCopy
{
  public:
    explicit RoomForCopy(double bytes);
    ~RoomForCopy();
    RoomForCopy(const RoomForCopy&) = delete;
    RoomForCopy& operator=(const RoomForCopy&) = delete;
};

// How much reading a file may take. It grows with each file that belongs to the scan.
class ReadingLimits
{
  public:
    void add(std::int64_t fileBytes);

    double memoryBytes() const; // of address space
    int processorSeconds() const;
    int seconds() const; // by the clock, in which a slow disk may answer

    void apply() const; // to this process; at most what it was started with

  private:
    double m_bytes = 0;
    int m_files = 0;
};

} // namespace engine
