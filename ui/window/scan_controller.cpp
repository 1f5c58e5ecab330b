// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/scan_controller.h"

#include "ui/image/image_panel.h"
#include "ui/numbers/number_tabs.h"
#include "ui/opening/reading_panel.h"
#include "ui/opening/scan_bar.h"
#include "ui/profile/profile_panel.h"
#include "ui/recorded/recorded_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/speed/speed_panel.h"
#include "ui/volume/volume_panel.h"
#include "ui/window/message_bar.h"
#include "ui/window/reconstruction_controller.h"
#include "ui/window/same_object.h"
#include "ui/window/slice_bar.h"

#include <QSignalBlocker>

namespace ui
{

ScanController::ScanController(const InputPanels& inputs, const ResultPanels& results, MessageBar& messages,
                               ReconstructionController& reconstruction, std::function<bool()> mayLook)
    : m_inputs(inputs), m_results(results), m_messages(messages), m_reconstruction(reconstruction),
      m_growth(std::move(mayLook))
{
    connect(&m_growth, &GrowthWatch::grew, this, &ScanController::grow);
}

engine::ProtectedInputs ScanController::inputFiles() const
{
    engine::ProtectedInputs inputs = scan() ? engine::ProtectedInputs(*scan()) : engine::ProtectedInputs();
    inputs.add({m_inputs.settings->list().reference.file.file, "the reference"});
    return inputs;
}

void ScanController::open(OpenedScan opened)
{
    m_messages.dismiss();
    m_opened = std::move(opened);
    m_reconstruction.setScan(scan());
    m_results.images->clear(tr("reconstructing…"));
    m_results.profile->clear();
    m_results.numbers->clear();
    m_results.speed->clear();
    showScan(false);
    showReading();
    m_results.sliceBar->setRange(scan()->slices());
}

void ScanController::change(std::shared_ptr<const engine::Scan> changed, const engine::OpenOptions& openedWith,
                            const engine::Marks& marks, int slice)
{
    const bool isResized = scan()->sliceSize() != changed->sliceSize();
    m_messages.dismiss();
    m_opened.scan = std::move(changed);
    m_opened.openedWith = openedWith;
    m_reconstruction.setScan(scan());
    showScan(!isResized);
    if (isResized) {
        m_results.images->clear(tr("reconstructing…"));
        m_results.profile->clear();
        m_results.images->setMarks(marks);
    }
    showReading();
    {
        const QSignalBlocker quiet(m_results.sliceBar);
        m_results.sliceBar->setRange(scan()->slices());
        m_results.sliceBar->setSlice(slice);
    }
    m_inputs.scanBar->setSlice(slice);
}

void ScanController::showScan(bool isSameObject)
{
    m_results.volume->clear();
    m_results.volume->setScan(scan());
    m_results.recorded->setScan(scan());
    emit replaced(isSameObject);
    m_inputs.settings->setScan(scan());
}

void ScanController::showReading()
{
    m_inputs.scanBar->setScan(scan().get());
    m_inputs.reading->show(scan(), m_opened.openedWith);
    m_growth.watch(scan(), m_opened.openedWith);
}

// Shows the grown scan. Not an action of the user: can't be undone; the comparison, the marks and the position stay.
void ScanController::grow(std::shared_ptr<const engine::Scan> grown)
{
    const int more = grown->projections() - scan()->projections();
    const SettingList list = m_inputs.settings->list();
    const engine::Marks marks = marksLike(m_results.images->marks(), *scan(), *grown);
    const engine::OpenOptions openedWith = m_opened.openedWith;
    const std::shared_ptr<const engine::Scan> before = scan();
    change(std::move(grown), openedWith, marks, m_results.sliceBar->slice());
    m_inputs.settings->showList(list);
    emit grew(before);
    m_messages.showInformation(
        tr("The scan is still being written: %1 more projections, %2 in total.").arg(more).arg(scan()->projections()));
    m_reconstruction.reconstruct();
}

} // namespace ui
