// SPDX-License-Identifier: GPL-3.0-or-later
// A volume that is being saved, shared by the window and the task that writes it.
#pragma once

#include "engine/volume/write_volume.h"
#include "ui/background/background_task.h"
#include "ui/window/saved_notice.h"

#include <QStringList>

#include <atomic>
#include <memory>

namespace ui
{

class SavedVolume
{
  public:
    SavedVolume(const engine::Request& request, const engine::OpenOptions& opened, const engine::VolumeOutput& output);
    SavedVolume(const SavedVolume&) = delete;
    SavedVolume& operator=(const SavedVolume&) = delete;

    // Runs in the task. Throws engine::Error.
    void write(const std::stop_token& stop, const BackgroundTask::Progress& progress);

    const engine::Request& request() const { return m_request; }
    const engine::OpenOptions& opened() const { return m_opened; }
    const engine::VolumeOutput& output() const { return m_output; }
    bool canContinue() const { return m_output.resumes; }  // the finished slices can stay when it is stopped
    void keepSlices(bool keeps) { m_keepsSlices = keeps; } // when it is stopped; true at first

    // After write():
    SavedNotice notice() const;
    QString warnings() const; // each on a line of its own, after a line feed
    bool hasSlices() const
    {
        return m_hasSlices && m_keepsSlices;
    }                                          // it was stopped, and its finished slices are stored
    bool isOther() const { return m_isOther; } // it failed, as slices of another request are stored under its name

  private:
    engine::Request m_request;
    engine::OpenOptions m_opened;
    engine::VolumeOutput m_output;
    engine::WrittenVolume m_written;
    QStringList m_warnings;
    bool m_hasSlices = false, m_isOther = false;
    std::atomic<bool> m_keepsSlices = true;
};

} // namespace ui
