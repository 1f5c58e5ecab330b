// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/geometry_controller.h"

#include "engine/base/error.h"
#include "engine/scan/reinterpreted_scan.h"
#include "ui/background/background_task.h"
#include "ui/image/image_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/reconstruction_controller.h"
#include "ui/window/same_object.h"
#include "ui/window/scan_controller.h"
#include "ui/window/slice_bar.h"
#include "ui/window/undo_controller.h"

namespace ui
{

namespace
{

// Whether the options differ only in the geometry.
bool isSameReading(engine::OpenOptions one, const engine::OpenOptions& other)
{
    one.beam = other.beam;
    one.cone = other.cone;
    one.geometryFile = other.geometryFile;
    return one == other;
}

} // namespace

GeometryController::GeometryController(const InputPanels& inputs, const ResultPanels& results, ScanController& scan,
                                       UndoController& undo, ReconstructionController& reconstruction)
    : m_inputs(inputs), m_results(results), m_scan(scan), m_undo(undo), m_reconstruction(reconstruction)
{
    const GeometryPanel* panel = &inputs.settings->geometry();
    connect(panel, &GeometryPanel::coneWanted, this, &GeometryController::takeAsCone);
    connect(panel, &GeometryPanel::parallelWanted, this, &GeometryController::takeAsParallel);
}

void GeometryController::take(std::shared_ptr<const engine::Scan> changed, const engine::OpenOptions& openedWith)
{
    UndoController::State before = m_undo.now();
    const engine::Scan& was = *before.scan;
    SettingList list = m_inputs.settings->list();
    const bool isAxisKept = isSameAxis(was, *changed);
    for (engine::NamedSetting& item : list.settings) // keeps the position on the detector if the pixel size has changed
        if (item.setting.axis.mode == engine::AxisSettings::Mode::given)
            item.setting.axis.bins = engine::reducedBin(*changed, engine::recordedBin(was, item.setting.axis.bins));
    // With another order of the axes, slices show other planes.
    const bool isSameObject = openedWith.dataSets.axes == before.comparison.opened.dataSets.axes;
    m_scan.change(changed, openedWith,
                  isSameObject ? marksLike(m_results.images->marks(), was, *changed) : engine::Marks(),
                  isSameObject ? sliceLike(before.comparison.slice, was, *changed) : changed->slices() / 2);
    if (isAxisKept)
        m_inputs.settings->showList(list); // restores the given axis
    const QString action = isSameReading(before.comparison.opened, openedWith) ? tr("geometry") : tr("way of opening");
    m_undo.record(std::move(before), action);
    m_reconstruction.reconstruct();
}

// Opens the scan with the new geometry, and records the options with which a session or a command opens it that way.
void GeometryController::takeAsCone(const engine::ConeOptions& wanted)
{
    if (!m_scan.scan())
        return;
    using Direction = engine::AngleDirection;
    const engine::ConeOptions options = wanted; // a copy: `wanted` may belong to the panel, which take() updates
    try {
        const auto changed = engine::takenAsCone(*m_scan.scan(), options);
        engine::OpenOptions opened = m_scan.opened().openedWith;
        opened.beam = engine::BeamKind::cone;
        opened.geometryFile = changed->geometryFile; // also a file that was found beside the scan
        const bool isGiven = options.direction == Direction::clockwise || opened.cone.direction; // now or earlier
        opened.cone = engine::ofRecorded(engine::saidOf(*changed), *changed);
        if (isGiven)
            opened.cone.direction = changed->anglesReversed ? Direction::clockwise : Direction::anticlockwise;
        take(changed, opened);
    } catch (...) {
        m_inputs.settings->geometry().showProblem(messageOfCurrentException());
    }
}

// Keeps the geometry file in the options: it still provides the angles, and whether the detector rows are stored
// upwards.
void GeometryController::takeAsParallel()
{
    if (!m_scan.scan())
        return;
    try {
        const auto changed = engine::takenAsParallel(*m_scan.scan());
        engine::OpenOptions opened = m_scan.opened().openedWith;
        opened.beam = engine::BeamKind::parallel;
        opened.geometryFile = changed->geometryFile;
        opened.cone = {};
        opened.cone.pixelUMm = changed->pixelSizeMm();
        opened.cone = engine::ofRecorded(opened.cone, *changed);
        take(changed, opened);
    } catch (...) {
        m_inputs.settings->geometry().showProblem(messageOfCurrentException());
    }
}

} // namespace ui
