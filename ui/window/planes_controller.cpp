// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/planes_controller.h"

#include "engine/base/error.h"
#include "engine/prepare/steps.h"
#include "engine/request/memory_limit.h"
#include "ui/planes/axis_drags.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/volume/volume_panel.h"
#include "ui/widgets/engine_text.h"
#include "ui/window/message_bar.h"

#include <chrono>
#include <cmath>

namespace ui
{

namespace
{

constexpr int fullAfterMs = 150; // since the last step of a drag

} // namespace

PlanesController::PlanesController(const SettingsPanel& settings, PlanesPanel& panel, MessageBar& messages)
    : m_settings(settings), m_panel(panel), m_messages(messages)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(fullAfterMs);
    connect(&m_rest, &QTimer::timeout, this, &PlanesController::reconstruct);
    connect(&panel, &PlanesPanel::moved, this, &PlanesController::ask);
    connect(&panel, &PlanesPanel::viewChanged, this, &PlanesController::changeView);
    connect(&panel, &PlanesPanel::seen, this, [this](bool) { isSeen() ? reconstruct() : cancel(); });
    connect(&m_job, &PlaneJob::updated, this, [this](const PlaneImages& images) {
        m_panel.showImages(images);
        pair();
        const engine::AxisSettings asked = m_settings.request(0).setting.axis;
        for (const Image& image : images.planes)
            if (image && image->request.setting.axis == asked)
                m_panel.axis().setAxis(image->axisBins);
        for (const QString& refusal : images.refusals) // the page says so itself
            if (!refusal.isEmpty() && !m_panel.isVisible())
                m_messages.fail(refusal);
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

void PlanesController::showIn(VolumePanel& scene)
{
    m_scene = &scene;
    connect(&scene, &VolumePanel::planesDragged, &m_panel,
            [this](const LinkedPlanes& planes) { m_panel.setPlanes(planes, true); });
    connect(&scene, &VolumePanel::planesReleased, &m_panel, &PlanesPanel::release);
    connect(&m_panel, &PlanesPanel::moved, &scene, [this] { m_scene->setPlanes(m_panel.planes()); });
    connect(&m_panel, &PlanesPanel::coloured, &scene, [this] {
        m_scene->setPlaneColours(m_panel.colours().greyWindow(),
                                 colourMaps()[static_cast<std::size_t>(m_panel.colours().colourMap())].colours);
    });
    connect(&m_job, &PlaneJob::updated, &scene, &VolumePanel::showPlaneImages);
    connect(&m_job, &PlaneJob::progressed, &scene, [this](const QString& stage, double fraction) {
        m_scene->showPlanesState(tr("%1, %2 %").arg(stage).arg(std::floor(100 * fraction)));
    });
    connect(&m_job, &PlaneJob::finished, &scene, [this] { m_scene->showPlanesState({}); });
    connect(&scene, &VolumePanel::planesSeen, this, [this](bool areSeen) {
        if (!areSeen)
            return isSeen() ? void() : cancel();
        PlaneImages images; // that aren't computed again
        for (int plane = 0; plane < LinkedPlanes::count; ++plane)
            images.planes[static_cast<std::size_t>(plane)] = m_panel.cell(plane).image();
        m_scene->showPlaneImages(images);
        reconstruct();
    });
}

bool PlanesController::isSeen() const
{
    return m_panel.isVisible() || (m_scene && m_scene->showsPlanes());
}

void PlanesController::setScan(const std::shared_ptr<const engine::Scan>& scan, bool isSameObject)
{
    m_job.release(); // the panel shows no image of this scan yet
    m_references.release();
    m_scan = scan;
    m_kept = {};
    m_rest.stop();
    m_panel.setScan(scan, isSameObject);
    if (m_scene)
        m_scene->setPlanes(m_panel.planes());
    if (!isSameObject)
        m_panel.axis().setAxis({});
}

void PlanesController::reconstruct()
{
    ask(false);
}

bool PlanesController::show(const std::string& text)
{
    const auto refuse = [this](const QString& why) {
        m_messages.showHint(tr("The recipe's plane isn't shown: %1").arg(why), {}, {});
        return false;
    };
    if (!m_scan || m_scan->slices() < 2)
        return refuse(tr("the page Planes needs a scan of several slices."));
    LinkedPlanes planes = m_panel.planes();
    try {
        const engine::Plane given = engine::planeFromText(text, planes.volume);
        validate(given, planes.volume);
        const std::optional<int> plane = planes.show(given);
        if (!plane)
            return refuse(tr("the page Planes has pixels of one voxel, and turns planes by two angles only."));
        m_panel.setPlanes(planes);
        m_panel.choose(*plane);
        return true;
    } catch (const engine::Error& error) {
        return refuse(inWindow(error.text()) + u'.');
    }
}

void PlanesController::follow()
{
    ask(true);
    m_rest.start();
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

void PlanesController::release()
{
    cancel();
    m_job.release().wait_for(std::chrono::seconds(1));
}

bool PlanesController::busy() const
{
    return m_job.busy() || m_references.busy();
}

// Chooses the projections whose rows stay in memory. The planes themselves are of all.
void PlanesController::chooseKept(PlaneRequest& wanted)
{
    if (!wanted.isMoving || m_kept.neededBytes == 0)
        m_kept = engine::keptPlanesFor({wanted.planes.begin(), wanted.planes.end()}, m_kept.scan);
    m_panel.showMemory(memoryNote());
    if (m_kept.step == 1)
        return;
    wanted.some = m_kept.scan;
    for (engine::Request& plane : wanted.planes) {
        std::get<engine::PlanePart>(plane.place.part).othersFollow = false;
        plane.resources.memoryInUseBytes = m_kept.bytes;
    }
}

// Returns what the memory limit changes; empty: nothing.
QString PlanesController::memoryNote() const
{
    if (m_kept.step == 1)
        return {};
    const QString limit = QString::fromStdString(engine::memoryLimitText(m_settings.request(0).resources)),
                  needed = QString::fromStdString(engine::sizeAtLeast(m_kept.neededBytes));
    if (m_kept.step == 0)
        return tr("Memory limit %1: planes come when nothing moves, in parts (all need %2).").arg(limit, needed);
    return tr("Memory limit %1: planes from 1 in %2 projections (all need %3); exact when nothing moves.")
        .arg(limit)
        .arg(m_kept.step)
        .arg(needed);
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
    if (!m_panel.isComparing())
        return m_references.stop();
    m_references.pause();
    m_references.setComparison(m_settings.comparison(0), m_kept.bytes);
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
    if (!m_scan || !isSeen())
        return;
    engine::Request request = m_settings.request(0);
    if (request.scan != m_scan) // the settings follow
        return;
    m_rest.stop();
    showAxis(request);
    m_isMoving = isMoving;
    PlaneRequest wanted;
    wanted.isMoving = isMoving;
    request.place = {};
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        engine::Request& one = wanted.planes[static_cast<std::size_t>(plane)] = request;
        one.place.part = engine::PlanePart{m_panel.planes().plane(plane), true};
    }
    chooseKept(wanted);
    followSettings();
    if (isMoving && m_kept.step == 0)
        return m_job.cancel();
    m_panel.showMessage(tr("reconstructing…"));
    emit started();
    m_job.start(wanted);
}

// An axis that is found is shown when it is known.
void PlanesController::showAxis(const engine::Request& request)
{
    const engine::Setting& setting = request.setting;
    if (setting.axis.mode == engine::AxisSettings::Mode::given)
        m_panel.axis().setAxis(setting.axis.bins);
    std::optional<double> tiltDeg;
    if (std::holds_alternative<engine::ParallelBeam>(m_scan->geometry))
        tiltDeg = engine::valueOf(*engine::findParameter("axis-tilt").parameter, setting.preparation);
    m_panel.axis().setTilt(tiltDeg);
}

} // namespace ui
