// SPDX-License-Identifier: GPL-3.0-or-later
// Measurement of the speed of a volume's disks, in the background, once its folder has not changed for a moment.
#pragma once

#include "engine/volume/volume_needs.h"
#include "ui/background/background_task.h"

#include <QObject>
#include <QTimer>

#include <filesystem>

namespace ui
{

class DiskMeasurement : public QObject
{
    Q_OBJECT
  public:
    DiskMeasurement();
    ~DiskMeasurement() override; // cancels and waits

    void follow(const QString& disks); // of that folder and kind of files: wanted() unless they are measured
    void start(const QString& disks, const engine::Request& request, const std::filesystem::path& output);
    bool isPending() const; // numbers are still to come

  signals:
    void wanted();
    void measured(const engine::VolumeRates& rates); // of reading and writing alone

  private:
    QTimer m_soon;
    QString m_disks;       // that were measured last
    BackgroundTask m_task; // last: goes first
};

} // namespace ui
