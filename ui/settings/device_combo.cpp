// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/device_combo.h"

#include "engine/backends/devices.h"

#include <QSignalBlocker>
#include <QTimer>

#include <algorithm>

namespace ui
{

namespace
{

bool isUsable(const engine::Device& device)
{
    return device.unusable.empty();
}

QString withBytes(const engine::Device& device)
{
    return DeviceCombo::tr("%1 · %2 GB")
        .arg(QString::fromStdString(device.details))
        .arg(device.memoryBytes / 1e9, 0, 'f', 0);
}

} // namespace

DeviceCombo::DeviceCombo(QWidget* parent) : ChoiceCombo(parent)
{
    offerAll();
    connect(this, &QComboBox::currentIndexChanged, this, [this] {
        m_wanted = currentData().toString().toStdString();
        if (unknownIn(m_wanted))
            askForUnknown();
        else
            emit chosen();
    });
}

const engine::Backend* DeviceCombo::unknownIn(const std::string& text) const
{
    for (const engine::Backend* backend : engine::backends())
        if (!backend->isAutomatic && !m_found.contains(backend) && text.find(backend->id) != std::string::npos)
            return backend;
    return nullptr;
}

void DeviceCombo::askForUnknown()
{
    const engine::Backend* backend = unknownIn(m_wanted);
    if (backend && m_asked.insert(backend).second) // a session may be restored before anyone listens
        QTimer::singleShot(0, this, [this, backend] { emit devicesWanted(backend); });
}

void DeviceCombo::offer(const engine::Backend& backend, const engine::Devices& devices)
{
    const bool wasWanted = unknownIn(m_wanted) == &backend;
    m_found[&backend] = devices;
    if (wasWanted && std::ranges::none_of(devices.devices, isUsable))
        m_wanted = "auto";
    offerAll();
    askForUnknown();
    if (wasWanted && !unknownIn(m_wanted))
        emit chosen();
}

void DeviceCombo::offerAll()
{
    const QSignalBlocker blocker(this);
    clear();
    addChoice(tr("Automatic"), QStringLiteral("auto"), tr("An NVIDIA GPU where there is one, else the processor"));
    for (const engine::Backend* backend : engine::backends())
        if (backend->isProcessor)
            addChoice(tr("Processor"), QString::fromUtf8(backend->id), tr("All cores of the processor"));
        else if (backend->isAutomatic || backend->isBuilt)
            addBackend(*backend);
    selectWanted();
}

// Adds an entry for all devices of the backend until they are known, then one for each.
void DeviceCombo::addBackend(const engine::Backend& backend)
{
    const auto found = m_found.find(&backend);
    if (found != m_found.end() && !found->second.devices.empty())
        return addDevices(backend, found->second);
    const QString label = QString::fromUtf8(backend.deviceLabel);
    const std::string reason = found == m_found.end() ? std::string() : found->second.reason;
    if (backend.isAutomatic) {
        addChoice(label, QStringLiteral("none"));
        setImpossible(count() - 1, reason.empty()
                                       ? tr("No %1 was found.").arg(label)
                                       : tr("No %1 can be used: %2").arg(label, QString::fromStdString(reason)));
        return;
    }
    addChoice(label, QString::fromUtf8(backend.id),
              tr("%1; its driver is loaded when you choose it").arg(QString::fromUtf8(backend.about)));
    if (!reason.empty())
        setImpossible(count() - 1, QString::fromStdString(reason));
}

void DeviceCombo::addDevices(const engine::Backend& backend, const engine::Devices& found)
{
    const auto textOf = [&](int index) {
        return QString::fromStdString(engine::toText(engine::DeviceSettings{backend.id, index}));
    };
    for (const engine::Device& device : found.devices) {
        const bool isUnique = std::ranges::count(found.devices, device.name, &engine::Device::name) == 1;
        addChoice(
            QString::fromStdString(engine::fullName(device, backend)) +
                (isUnique ? QString() : tr(" · %1 %2").arg(device.isGpu ? tr("GPU") : tr("device")).arg(device.index)),
            textOf(device.index), withBytes(device));
        if (!isUsable(device))
            setImpossible(count() - 1, QString::fromStdString(device.unusable));
    }
    if (const auto usable = std::ranges::count_if(found.devices, isUsable); usable > 1)
        addChoice(tr("All %1 %2s").arg(QString::number(usable), QString::fromUtf8(backend.deviceLabel)),
                  textOf(engine::DeviceSettings::all), sharedTip());
}

// A list of devices from a session or the command line, such as "cuda:0,cuda:2", gets an entry.
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
    return data.empty() || data == "none" || unknownIn(data) ? "auto" : data;
}

void DeviceCombo::setText(const std::string& text)
{
    engine::Resources named;
    engine::setDevices(named, text);
    m_wanted = engine::devicesToText(named);
    selectWanted();
    askForUnknown();
}

} // namespace ui
