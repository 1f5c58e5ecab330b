// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/planes_controller.h"

#include "engine/base/error.h"
#include "engine/base/machine.h"
#include "engine/base/number_text.h"
#include "engine/reconstruct/plane_request.h"
#include "ui/planes/planes_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/message_bar.h"

#include <algorithm>
#include <chrono>

namespace ui
{

PlanesController::PlanesController(const SettingsPanel& settings, PlanesPanel& panel, MessageBar& messages)
    : m_settings(settings), m_panel(panel), m_messages(messages)
{
    connect(&panel, &PlanesPanel::moved, this, &PlanesController::ask);
    connect(&panel, &PlanesPanel::seen, this, [this](bool isSeen) { isSeen ? reconstruct() : cancel(); });
    connect(&m_job, &PlaneJob::updated, &panel, &PlanesPanel::showImages);
    connect(&m_job, &PlaneJob::progressed, &panel, &PlanesPanel::showBusy);
    connect(&m_job, &PlaneJob::failed, this, [this](const QString& message) {
        m_panel.showFailed(message);
        m_messages.fail(message);
    });
    connect(&m_job, &PlaneJob::finished, this, [this] {
        m_panel.showDone();
        emit ended();
    });
}

void PlanesController::setScan(const std::shared_ptr<const engine::Scan>& scan)
{
    m_job.release(); // the panel shows no image any more
    m_scan = scan;
    m_panel.setScan(scan);
}

void PlanesController::reconstruct()
{
    ask(false);
}

void PlanesController::follow()
{
    ask(true);
}

void PlanesController::cancel()
{
    if (!m_job.busy())
        return;
    m_job.cancel();
    m_panel.showMessage(tr("Cancelled. Press F5 to compute it."));
}

void PlanesController::release()
{
    cancel();
    m_job.release().wait_for(std::chrono::seconds(1));
}

bool PlanesController::busy() const
{
    return m_job.busy();
}

// Returns why the rows of all slices don't fit into memory.
std::optional<QString> PlanesController::objection(const PlaneRequest& wanted) const
{
    double bytes = 0;
    for (const engine::Request& plane : wanted.planes)
        try {
            bytes = std::max(bytes, engine::bytesForPlane(plane));
        } catch (const engine::Error&) {
            continue; // the job shows why this plane is refused
        }
    const double given = wanted.planes.front().resources.memoryLimitBytes;
    const double limit = given > 0 ? given : engine::machineMemoryBytes() / 2;
    if (bytes <= limit)
        return std::nullopt;
    return tr("The planes need the rows of all slices in memory, %1, but only %2 may be used. Read fewer projections "
              "or larger bins: see the section “Reading”.")
        .arg(QString::fromStdString(engine::sizeText(bytes)), QString::fromStdString(engine::sizeText(limit)));
}

void PlanesController::ask(bool isMoving)
{
    if (!m_scan || !m_panel.isVisible())
        return;
    engine::Request request = m_settings.request(0);
    if (request.scan != m_scan) // the settings follow
        return;
    PlaneRequest wanted;
    wanted.isMoving = isMoving;
    request.place = {};
    request.place.slices = {0, 1};
    request.place.readsAll = true;
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        engine::Request& one = wanted.planes[static_cast<std::size_t>(plane)] = request;
        one.place.plane = m_panel.planes().plane(plane);
    }
    if (const auto why = isMoving ? std::nullopt : objection(wanted)) {
        m_job.cancel();
        m_job.forget();
        return m_panel.showFailed(*why);
    }
    m_panel.showMessage(tr("reconstructing…"));
    emit started();
    m_job.start(wanted);
}

} // namespace ui
