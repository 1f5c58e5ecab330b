// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/device_combo.h"

#include "engine/request/setting.h"

#include <QSignalBlocker>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{
constexpr const char* openCl = "opencl";
}

DeviceCombo::DeviceCombo(QWidget* parent) : ChoiceCombo(parent)
{
    connect(this, &QComboBox::currentIndexChanged, this, [this] {
        m_wanted = currentData().toString().toStdString();
        if (m_wanted.find(openCl) != std::string::npos && !m_openCl)
            askForOpenCl();
        else
            emit chosen();
    });
}

void DeviceCombo::askForOpenCl()
{
    if (!std::exchange(m_isAsked, true))
        QTimer::singleShot(0, this, &DeviceCombo::openClWanted); // a session may be restored before anyone listens
}

void DeviceCombo::offerOpenCl(const engine::OpenClDevices& devices)
{
    m_openCl = devices;
    const bool wasWanted = m_wanted.find(openCl) != std::string::npos;
    const auto isUsable = [](const engine::OpenClDevice& device) { return device.unusable.empty(); };
    if (wasWanted && std::ranges::none_of(devices.devices, isUsable))
        m_wanted = "auto";
    offer(engine::CudaDevices(m_cuda));
    if (wasWanted)
        emit chosen();
}

// Adds an entry for all OpenCL devices until they are known, then one for each.
void DeviceCombo::addOpenCl()
{
    if (!engine::isOpenClBuilt())
        return;
    if (!m_openCl || m_openCl->devices.empty()) {
        addChoice(tr("OpenCL device"), QString::fromLatin1(openCl),
                  tr("A GPU of any maker, through its OpenCL driver, which is loaded when you choose it"));
        if (m_openCl)
            setImpossible(count() - 1, QString::fromStdString(m_openCl->reason));
        return;
    }
    for (const engine::OpenClDevice& device : m_openCl->devices) {
        addChoice(tr("%1 (OpenCL)").arg(QString::fromStdString(device.name)),
                  QString::fromStdString(
                      engine::toText(engine::DeviceSettings{engine::DeviceSettings::Kind::opencl, device.index})),
                  tr("%1 · %n compute unit(s) · %2 GB", nullptr, device.computeUnits)
                      .arg(QString::fromStdString(device.platform))
                      .arg(device.memoryBytes / 1e9, 0, 'f', 0));
        if (!device.unusable.empty())
            setImpossible(count() - 1, QString::fromStdString(device.unusable));
    }
}

void DeviceCombo::offer(const engine::CudaDevices& devices)
{
    m_cuda = devices;
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
    addOpenCl();
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
    const bool isUnknown = data.empty() || data == "none" || (data.find(openCl) != std::string::npos && !m_openCl);
    return isUnknown ? "auto" : data;
}

void DeviceCombo::setText(const std::string& text)
{
    engine::Resources named;
    engine::setDevices(named, text);
    m_wanted = engine::devicesToText(named);
    selectWanted();
    if (m_wanted.find(openCl) != std::string::npos && !m_openCl)
        askForOpenCl();
}

} // namespace ui
