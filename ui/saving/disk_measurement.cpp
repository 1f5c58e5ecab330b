// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/saving/disk_measurement.h"

#include <memory>

namespace ui
{

DiskMeasurement::DiskMeasurement()
{
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
    m_task.start(
        [rates, request, output](std::stop_token stop, const BackgroundTask::Progress&) {
            *rates = engine::measureDisks(request, output, stop);
        },
        [this, rates] { emit measured(*rates); });
}

bool DiskMeasurement::isPending() const
{
    return m_task.busy() || m_soon.isActive() || m_disks.isEmpty();
}

} // namespace ui
