// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/backend.h"

#include "engine/backends/devices.h"
#include "engine/backends/launch_both_ends.h"
#include "engine/backends/plane_launch.h"
#include "engine/base/core_waiting.h"
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"

#include <algorithm>

namespace engine
{

const Backend* findBackend(const std::string& id)
{
    const auto all = backends();
    const auto found = std::ranges::find_if(all, [&](const Backend* one) { return id == one->id; });
    return found == all.end() ? nullptr : *found;
}

const Backend& backendOf(const DeviceSettings& one)
{
    const Backend* found = findBackend(one.backend);
    require(found != nullptr, "unknown device '" + toText(one) + "'");
    return *found;
}

const Backend& processorBackend()
{
    return **std::ranges::find_if(backends(), &Backend::isProcessor);
}

std::string fullName(const Device& device, const Backend& backend)
{
    return device.name + backend.nameSuffix;
}

DeviceSession& Workspace::sessionOf(const Method& method, int deviceIndex)
{
    const auto isOpen = [&](const Opened& one) { return one.backend == method.backend; };
    auto opened = std::ranges::find_if(m_sessions, isOpen);
    if (opened != m_sessions.end() && opened->device != deviceIndex) {
        m_sessions.erase(opened); // before the next one needs memory
        opened = m_sessions.end();
    }
    if (opened == m_sessions.end())
        opened = m_sessions.insert(opened, {method.backend, deviceIndex, method.backend->open(deviceIndex)});
    return *opened->session;
}

bool Workspace::holds(const Method& method, int deviceIndex, const FilteredKey& key, Precision precision) const
{
    return std::ranges::any_of(m_sessions, [&](const Opened& one) {
        return one.backend == method.backend && one.device == deviceIndex && one.session->holds(key, precision);
    });
}

void Workspace::dropOthers(const Scan* scan)
{
    for (const Opened& one : m_sessions)
        one.session->dropOthers(scan);
}

LaunchReport launch(const Method& method, const LaunchArguments& arguments, Workspace& workspace)
{
    DeviceSession& session = workspace.sessionOf(method, arguments.deviceIndex);
    constexpr double fewestUpdates = 1e8; // milliseconds, so that asking the system costs little
    const VolumeGrid& grid = arguments.grid;
    const bool isTimed =
        method.backend->isProcessor &&
        1.0 * grid.slices * grid.height * grid.width * static_cast<double>(anglesRadOf(arguments.geometry).size()) >
            fewestUpdates;
    const std::optional<CoreWaiting> waiting = isTimed ? std::optional<CoreWaiting>(std::in_place) : std::nullopt;
    const bool isWhole = arguments.image.slices == arguments.grid.slices;
    LaunchReport report = arguments.plane                     ? launchPlane(session, method, arguments)
                          : isWhole || method.inMirroredPairs ? session.run(method, arguments)
                                                              : launchBothEnds(session, method, arguments);
    if (waiting)
        report.waitedShare = waiting->share(arenaOf(arguments.threads).max_concurrency());
    const Backend& backend = *method.backend;
    const Device* device = backend.isProcessor ? nullptr : deviceFor(backend, {backend.id, arguments.deviceIndex});
    if (device) {
        report.device = fullName(*device, backend);
        report.texelsPerSecond = device->texelsPerSecond;
    }
    return report;
}

} // namespace engine
