// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/devices.h"

#include "engine/base/error.h"

#include <algorithm>
#include <charconv>

namespace engine
{

const Machine& thisMachine()
{
    static const Machine machine;
    return machine;
}

namespace
{

DeviceSettings oneDeviceFromText(const std::string& text)
{
    const std::size_t colon = text.find(':');
    const std::string id = text.substr(0, colon), number = colon == std::string::npos ? "" : text.substr(colon + 1);
    const Backend* backend = findBackend(id);
    if (colon == std::string::npos && (backend || DeviceSettings{id}.isAutomatic()))
        return {id, 0};
    if (backend && !backend->isProcessor) {
        if (number == "all")
            return {id, DeviceSettings::all};
        int index = -1;
        const char* end = number.data() + number.size();
        const auto [rest, error] = std::from_chars(number.data(), end, index);
        if (error == std::errc{} && rest == end && index >= 0)
            return {id, index};
    }
    throw Error(ErrorKind::badRequest, "unknown device '" + text + "'; choose " + deviceForms() +
                                           ", or several with commas, such as cuda:0,cuda:2");
}

} // namespace

std::string deviceForms()
{
    std::string forms = "auto";
    for (const Backend* one : backends()) {
        const std::string id = one->id;
        forms += ", " + (one->isProcessor ? id : id + ", " + id + ":N or " + id + ":all");
    }
    return forms;
}

std::string deviceUsage()
{
    std::string forms = "auto";
    for (const Backend* one : backends())
        forms += std::string("|") + one->id + (one->isProcessor ? "" : "[:N|:all]");
    return forms + "[,...]";
}

DeviceSettings deviceFromText(const std::string& text)
{
    Resources named;
    setDevices(named, text);
    if (!named.others.empty() || named.device.index == DeviceSettings::all)
        throw Error(ErrorKind::badRequest,
                    "'" + text +
                        "' names several devices, which can only share the slices of a volume; name one, such as " +
                        "auto, cpu or cuda:1");
    return named.device;
}

void setDevices(Resources& resources, const std::string& text)
{
    std::vector<DeviceSettings> all;
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t comma = std::min(text.find(',', first), text.size());
        all.push_back(oneDeviceFromText(text.substr(first, comma - first)));
        first = comma + 1;
    }
    if (all.size() > 1 && std::ranges::any_of(all, &DeviceSettings::isAutomatic))
        throw Error(ErrorKind::badRequest,
                    "'" + text + "' combines auto with other devices; name cpu, cuda:N or cuda:all");
    resources.device = all.front();
    resources.others.assign(all.begin() + 1, all.end());
}

bool mayUse(const Backend& backend, const DeviceSettings& settings)
{
    return settings.isAutomatic() ? backend.isAutomatic : settings.backend == backend.id;
}

const Device* deviceFor(const Backend& backend, const DeviceSettings& settings, const Machine& machine)
{
    const bool isAny = settings.isAutomatic() || settings.index == DeviceSettings::all;
    if (!mayUse(backend, settings))
        return nullptr;
    for (const Device& device : machine.devices(backend).devices)
        if (isAny ? device.unusable.empty() : device.index == settings.index)
            return &device;
    return nullptr;
}

bool processorMayTakeOver(const Method& method, const DeviceSettings& settings)
{
    return !method.backend->isProcessor &&
           (settings.isAutomatic() || !backendOf(settings).isStrict || method.isReference);
}

bool isProcessor(const DeviceSettings& device)
{
    return device.backend == processorBackend().id;
}

std::vector<DeviceSettings> usableDevices(const Backend& backend)
{
    std::vector<DeviceSettings> usable;
    for (const Device& device : backend.devices().devices)
        if (device.unusable.empty())
            usable.push_back({backend.id, device.index});
    return usable;
}

std::vector<DeviceSettings> devicesOf(const Resources& resources)
{
    std::vector<DeviceSettings> asked{resources.device}, all;
    asked.insert(asked.end(), resources.others.begin(), resources.others.end());
    for (const DeviceSettings& one : asked) {
        if (one.index != DeviceSettings::all) {
            all.push_back(one);
            continue;
        }
        requireDevice(one, "; choose another device, or cpu");
        for (const DeviceSettings& next : usableDevices(backendOf(one)))
            if (std::ranges::count(asked, next) == 0)
                all.push_back(next);
    }
    return all;
}

int deviceIndexFor(const Method& method, const DeviceSettings& settings, const Machine& machine)
{
    if (method.backend->isProcessor)
        return 0;
    const Device* device = deviceFor(*method.backend, settings, machine);
    return device ? device->index : settings.index;
}

DeviceSettings deviceOf(const Method& method, const DeviceSettings& settings)
{
    return {method.backend->id, deviceIndexFor(method, settings)};
}

std::optional<std::string> deviceProblem(const Backend& backend, const DeviceSettings& settings, const Machine& machine)
{
    if (!mayUse(backend, settings))
        return std::string("this method runs on ") + backend.aDevice +
               (settings.isAutomatic() ? "" : std::string(", not on ") + backendOf(settings).aDevice) +
               "; choose the device " + backend.id;
    if (backend.isProcessor)
        return std::nullopt;
    const Device* device = deviceFor(backend, settings, machine);
    const std::string label = backend.deviceLabel;
    if (device && device->unusable.empty())
        return std::nullopt;
    if (device)
        return "the " + label + " " + device->name + " can't be used: " + device->unusable;
    const Devices& found = machine.devices(backend);
    if (settings.isAutomatic() || settings.index == DeviceSettings::all || found.devices.empty())
        return "no " + label +
               " can be used: " + (found.devices.empty() ? found.reason : found.devices.front().unusable);
    const int first = found.devices.front().index, last = found.devices.back().index;
    return "there is no " + label + " " + std::to_string(settings.index) + ", only " + std::to_string(first) +
           (last > first ? " to " + std::to_string(last) : "") +
           (found.reason.empty() ? "" : " (" + found.reason + ")");
}

void requireDevice(const DeviceSettings& device, const std::string& instead, const Machine& machine)
{
    if (device.isAutomatic())
        return;
    if (const auto problem = deviceProblem(backendOf(device), device, machine))
        throw Error(ErrorKind::device, *problem + instead);
}

void requireVariant(const DeviceSettings& device, const std::string& variant)
{
    for (const Backend* backend : backends())
        if (backend->requireVariant && mayUse(*backend, device))
            backend->requireVariant(variant);
}

void findAutomaticDevices()
{
    for (const Backend* backend : backends())
        if (backend->isAutomatic)
            backend->devices();
}

DeviceState stateOf(const DeviceSettings& device)
{
    const Backend* backend = findBackend(device.backend);
    return backend && backend->state ? backend->state(device.index) : DeviceState();
}

} // namespace engine
