// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/planes_controller.h"

#include "engine/volume/fitting_alternatives.h"
#include "ui/planes/planes_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/message_bar.h"

#include <utility>

namespace ui
{

PlanesController::PlanesController(const SettingsPanel& settings, PlanesPanel& panel, MessageBar& messages)
    : m_settings(settings), m_panel(panel), m_messages(messages)
{
    connect(&panel, &PlanesPanel::moved, this, &PlanesController::ask);
    connect(&panel, &PlanesPanel::seen, this, [this](bool isSeen) { isSeen ? reconstruct() : cancel(); });
    connect(&m_job, &PlaneJob::updated, &panel, &PlanesPanel::show);
    connect(&m_job, &PlaneJob::progressed, &panel, &PlanesPanel::showBusy);
    connect(&m_job, &PlaneJob::failed, this, [this](const QString& message) {
        m_panel.showMessage(message);
        m_messages.fail(message);
    });
    connect(&m_job, &PlaneJob::finished, this, [this] {
        m_panel.showDone();
        emit ended();
    });
}

void PlanesController::setScan(const std::shared_ptr<const engine::Scan>& scan)
{
    m_job.cancel();
    m_job.forget(); // the panel shows no image any more
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
    m_job.cancel();
}

bool PlanesController::busy() const
{
    return m_job.busy();
}

// Returns why the rows of all slices don't fit into memory.
std::optional<QString> PlanesController::objection(const engine::Request& request) const
{
    engine::Request rows = request;
    rows.place = {};
    rows.place.slices = {0, m_scan->slices()};
    rows.place.region = engine::Region{0, 0, m_scan->sliceSize(), 1};
    const std::optional<std::string> why = engine::memoryObjection(rows);
    if (!why)
        return std::nullopt;
    return tr("The planes need the rows of all slices in memory: %1.").arg(QString::fromStdString(*why));
}

void PlanesController::ask(bool isMoving)
{
    if (!m_scan || !m_panel.isVisible())
        return;
    engine::Request request = m_settings.request(0);
    if (request.scan != m_scan) // the settings follow
        return;
    if (const auto why = isMoving ? std::nullopt : objection(request)) {
        m_job.cancel();
        return m_panel.showMessage(*why);
    }
    PlaneRequest wanted;
    wanted.isMoving = isMoving;
    request.place = {};
    request.place.slices = {0, 1};
    request.place.readsAll = true;
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        engine::Request& one = wanted.planes[static_cast<std::size_t>(plane)] = request;
        one.place.plane = m_panel.planes().plane(plane);
    }
    emit started();
    m_job.start(wanted);
}

} // namespace ui
