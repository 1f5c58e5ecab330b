// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/planes_controller.h"

#include "engine/base/machine.h"
#include "engine/base/number_text.h"
#include "ui/planes/planes_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/message_bar.h"

#include <algorithm>

namespace ui
{

PlanesController::PlanesController(const SettingsPanel& settings, PlanesPanel& panel, MessageBar& messages)
    : m_settings(settings), m_panel(panel), m_messages(messages)
{
    connect(&panel, &PlanesPanel::moved, this, &PlanesController::ask);
    connect(&panel, &PlanesPanel::viewChanged, this, &PlanesController::changeView);
    connect(&panel, &PlanesPanel::seen, this, [this](bool isSeen) { isSeen ? reconstruct() : cancel(); });
    connect(&m_job, &PlaneJob::updated, this, [this](const PlaneImages& images) {
        m_panel.showImages(images);
        pair();
    });
    connect(&m_job, &PlaneJob::progressed, &panel, &PlanesPanel::showBusy);
    connect(&m_job, &PlaneJob::failed, this, [this](const QString& message) {
        m_panel.showFailed(message);
        m_messages.fail(message);
    });
    connect(&m_job, &PlaneJob::finished, this, &PlanesController::finish);
    connect(&m_references, &PlaneReferences::paired, &panel, &PlanesPanel::showPair);
    connect(&m_references, &PlaneReferences::progressed, &panel, &PlanesPanel::showBusy);
    connect(&m_references, &PlaneReferences::failed, this, [this](const QString& message) {
        m_references.refuse(message);
        m_messages.fail(message);
    });
    connect(&m_references, &PlaneReferences::finished, this, [this] {
        m_panel.showDone();
        emit ended();
    });
}

void PlanesController::setScan(const std::shared_ptr<const engine::Scan>& scan)
{
    m_job.cancel();
    m_job.forget(); // the panel shows no image any more
    m_references.release();
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
    if (!busy())
        return;
    const QString why = tr("Cancelled. Press F5 to compute it.");
    m_references.refuse(why);
    if (m_job.busy())
        m_job.cancel();
    else
        finish();
    m_panel.showMessage(why);
}

bool PlanesController::busy() const
{
    return m_job.busy() || m_references.busy();
}

// Returns the memory for the rows of all slices: prepared ones with the recorded or the filtered ones.
double PlanesController::bytesOfRows(double bytesPerFiltered) const
{
    const double samples = static_cast<double>(m_scan->rows) * m_scan->projections() * m_scan->bins();
    return samples * (sizeof(float) + std::max<double>(bytesPerFiltered, m_scan->bytesPerSample));
}

double PlanesController::memoryLimit() const
{
    const double given = m_settings.request(0).resources.memoryLimitBytes;
    return given > 0 ? given : engine::machineMemoryBytes() / 2;
}

// Returns why the rows of all slices don't fit into memory.
std::optional<QString> PlanesController::objection() const
{
    const double bytes = bytesOfRows(sizeof(float)), limit = memoryLimit();
    if (bytes <= limit)
        return std::nullopt;
    return tr("The planes need the rows of all slices in memory, %1, but only %2 may be used. Read fewer projections "
              "or larger bins: see the section “Reading”.")
        .arg(QString::fromStdString(engine::sizeText(bytes)), QString::fromStdString(engine::sizeText(limit)));
}

// Returns why the rows of the reference don't fit into memory, too; empty if they do. Those of `exact` are in double
// precision.
QString PlanesController::referenceObjection() const
{
    const double bytes = bytesOfRows(sizeof(float)) + bytesOfRows(sizeof(double)), limit = memoryLimit();
    if (bytes <= limit)
        return {};
    return tr("A reference needs the rows of all slices a second time, %1 in total, but only %2 may be used.")
        .arg(QString::fromStdString(engine::sizeText(bytes)), QString::fromStdString(engine::sizeText(limit)));
}

// The images are there, or nothing more comes: their references follow.
void PlanesController::finish()
{
    if (compare())
        return;
    m_panel.showDone();
    emit ended();
}

// What is being computed may be for other settings or planes.
void PlanesController::followSettings()
{
    m_references.stop();
    if (m_panel.isComparing())
        m_references.setComparison(m_settings.comparison(0), referenceObjection());
}

void PlanesController::changeView()
{
    if (m_scan)
        followSettings();
    if (m_job.busy())
        return;
    if (compare())
        emit started();
    else
        finish();
}

void PlanesController::pair()
{
    if (m_panel.isComparing())
        m_references.pair(m_panel.images(), m_isMoving);
}

bool PlanesController::compare()
{
    if (!m_scan || !m_panel.isComparing() || !m_panel.isVisible() || m_isMoving)
        return false;
    pair();
    return m_references.compute();
}

void PlanesController::ask(bool isMoving)
{
    if (!m_scan || !m_panel.isVisible())
        return;
    engine::Request request = m_settings.request(0);
    if (request.scan != m_scan) // the settings follow
        return;
    m_isMoving = isMoving;
    followSettings();
    if (const auto why = isMoving ? std::nullopt : objection()) {
        m_job.cancel();
        m_job.forget();
        return m_panel.showFailed(*why);
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
    m_panel.showMessage(tr("reconstructing…"));
    emit started();
    m_job.start(wanted);
}

} // namespace ui
