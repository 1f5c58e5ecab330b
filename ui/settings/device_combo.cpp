// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/device_combo.h"

#include "engine/request/setting.h"

#include <QSignalBlocker>

namespace ui
{

DeviceCombo::DeviceCombo(QWidget* parent) : ChoiceCombo(parent)
{
    connect(this, &QComboBox::currentIndexChanged, this, [this] {
        m_wanted = text();
        emit chosen();
    });
}

void DeviceCombo::offer(const engine::CudaDevices& devices)
{
    const QSignalBlocker blocker(this);
    clear();
    addChoice(tr("Automatic"), QStringLiteral("auto"), tr("An NVIDIA GPU where there is one, else the processor"));
    addChoice(tr("Processor"), QStringLiteral("cpu"), tr("All cores of the processor"));
    for (const engine::CudaDevice& gpu : devices.devices)
        addChoice(QString::fromStdString(gpu.name) +
                      (devices.devices.size() > 1 ? tr(" · GPU %1").arg(gpu.index) : QString()),
                  QString::fromStdString(
                      engine::toText(engine::DeviceSettings{engine::DeviceSettings::Kind::cuda, gpu.index})),
                  tr("GPU %1 · compute capability %2.%3 · %4 GB")
                      .arg(gpu.index)
                      .arg(gpu.computeMajor)
                      .arg(gpu.computeMinor)
                      .arg(gpu.memoryBytes / 1e9, 0, 'f', 0));
    if (devices.devices.size() > 1)
        addChoice(tr("All %1 GPUs").arg(devices.devices.size()), QStringLiteral("cuda:all"), sharedTip());
    if (devices.devices.empty()) {
        addChoice(tr("NVIDIA GPU"), QStringLiteral("none"));
        setImpossible(count() - 1,
                      devices.reason.empty()
                          ? tr("No NVIDIA GPU was found.")
                          : tr("No NVIDIA GPU can be used: %1").arg(QString::fromStdString(devices.reason)));
    }
    selectWanted();
}

// A list of GPUs from a session or the command line, such as "cuda:0,2", gets an entry.
void DeviceCombo::selectWanted()
{
    const QString wanted = QString::fromStdString(m_wanted);
    if (m_wanted.find(',') != std::string::npos && findData(wanted) < 0) {
        const QSignalBlocker blocker(this);
        addChoice(wanted, wanted, sharedTip());
    }
    select(wanted);
}

QString DeviceCombo::sharedTip()
{
    return tr("They share the slices of a volume; a single slice is computed by the first");
}

std::string DeviceCombo::text() const
{
    const std::string data = currentData().toString().toStdString();
    return data.empty() || data == "none" ? "auto" : data;
}

void DeviceCombo::setText(const std::string& text)
{
    engine::Resources named;
    engine::setDevices(named, text);
    m_wanted = engine::devicesToText(named);
    selectWanted();
}

} // namespace ui
