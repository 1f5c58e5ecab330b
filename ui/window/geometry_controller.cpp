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
    for (engine::NamedSetting& item : list.settings) // where it is on the detector, whatever its pixels are now
        if (item.setting.axis.mode == engine::AxisSettings::Mode::given)
            item.setting.axis.bins = engine::reducedBin(*changed, engine::recordedBin(was, item.setting.axis.bins));
    // Otherwise other dimensions span the slices.
    const bool isSameObject = openedWith.dataSets.axes == before.opened.dataSets.axes;
    m_scan.change(changed, openedWith,
                  isSameObject ? marksLike(m_results.images->marks(), was, *changed) : engine::Marks(),
                  isSameObject ? sliceLike(before.slice, was, *changed) : changed->slices() / 2);
    if (isAxisKept)
        m_inputs.settings->showList(list); // with the axis that is given
    m_undo.record(std::move(before));
    m_reconstruction.reconstruct();
}

// A session or a command opens the scan with the geometry that it has now.
void GeometryController::takeAsCone(const engine::ConeOptions& wanted)
{
    if (!m_scan.scan())
        return;
    using Direction = engine::AngleDirection;
    const engine::ConeOptions options = wanted; // the panel's own change with the scan
    try {
        const auto changed = engine::takenAsCone(*m_scan.scan(), options);
        engine::OpenOptions opened = m_scan.opened().openedWith;
        opened.beam = engine::BeamKind::cone;
        opened.geometryFile = changed->geometryFile; // that was beside the scan, too
        const bool isGiven = options.direction == Direction::clockwise || opened.cone.direction; // now, or before
        opened.cone = engine::ofRecorded(engine::saidOf(*changed), *changed);
        if (isGiven)
            opened.cone.direction = changed->anglesReversed ? Direction::clockwise : Direction::anticlockwise;
        take(changed, opened);
    } catch (...) {
        m_inputs.settings->geometry().showProblem(messageOfCurrentException());
    }
}

// The angles still come from a file of the geometry, and so does the direction in which its rows count.
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
