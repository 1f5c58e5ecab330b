// SPDX-License-Identifier: GPL-3.0-or-later
// A background measurement of the disk speeds for a volume, started when its folder hasn't changed for a moment.
#pragma once

#include "engine/volume/volume_needs.h"
#include "ui/background/background_task.h"

#include <QObject>
#include <QTimer>

#include <filesystem>

namespace ui
{

class TaskRow;

class DiskMeasurement : public QObject
{
    Q_OBJECT
  public:
    DiskMeasurement();
    ~DiskMeasurement() override; // cancels the measurement and waits

    // `disks` identifies the folder and the kind of files. Emits wanted() unless these were measured last.
    void follow(const QString& disks);
    void start(const QString& disks, const engine::Request& request, const std::filesystem::path& output);
    bool isPending() const;   // results are still expected
    QWidget* busyRow() const; // belongs to the layout that it is added to

  signals:
    void wanted();
    void measured(const engine::VolumeRates& rates); // only for reading and writing

  private:
    QTimer m_soon;
    QString m_disks; // the last measured ones
    TaskRow* m_busy;
    BackgroundTask m_task; // declared last: destroyed first
};

} // namespace ui
