// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/saving/disk_measurement.h"

#include "ui/background/task_row.h"

#include <QLabel>

#include <memory>

namespace ui
{

DiskMeasurement::DiskMeasurement()
{
    m_busy = new TaskRow(m_task, tr("Stops the measurement; the time stays unknown"), new QLabel);
    QSizePolicy policy = m_busy->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // so that nothing moves
    m_busy->setSizePolicy(policy);
    connect(&m_task, &BackgroundTask::cancelled, this, [this] { emit measured({}); });
    m_soon.setSingleShot(true);
    m_soon.setInterval(300);
    connect(&m_soon, &QTimer::timeout, this, &DiskMeasurement::wanted);
}

DiskMeasurement::~DiskMeasurement() = default;

void DiskMeasurement::follow(const QString& disks)
{
    if (m_disks != disks)
        m_soon.start();
}

void DiskMeasurement::start(const QString& disks, const engine::Request& request, const std::filesystem::path& output)
{
    m_disks = disks;
    const auto rates = std::make_shared<engine::VolumeRates>();
    m_busy->begin(tr("Measuring the disks"));
    m_task.start(
        [rates, request, output](std::stop_token stop, const BackgroundTask::Progress& progress) {
            *rates = engine::measureDisks(request, output, stop, progress);
        },
        [this, rates] { emit measured(*rates); });
}

QWidget* DiskMeasurement::busyRow() const
{
    return m_busy;
}

bool DiskMeasurement::isPending() const
{
    return m_task.busy() || m_soon.isActive() || m_disks.isEmpty();
}

} // namespace ui
