// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/found_controller.h"

#include "engine/io/formats/hdf5_data_sets.h"
#include "ui/opening/found_dialog.h"
#include "ui/opening/reading_panel.h"
#include "ui/opening/scan_bar.h"
#include "ui/recorded/recorded_panel.h"
#include "ui/settings/axis_edit.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/opening_remedies.h"
#include "ui/window/scan_controller.h"
#include "ui/window/slice_bar.h"
#include "ui/window/window_layout.h"

#include <QAbstractSpinBox>

namespace ui
{

FoundController::FoundController(QWidget& window, WindowLayout& layout, const ScanController& scan,
                                 OpeningRemedies& remedies, std::function<bool()> isBusy)
    : m_window(window), m_layout(layout), m_inputs(layout.inputs()), m_results(layout.results()), m_scan(scan),
      m_remedies(remedies), m_isBusy(std::move(isBusy))
{
    connect(m_inputs.scanBar, &ScanBar::foundWanted, this, &FoundController::show);
    connect(m_inputs.reading, &ReadingPanel::foundWanted, this, &FoundController::show);
    connect(&scan, &ScanController::replaced, this, [this] {
        if (m_dialog)
            m_dialog->setScan(m_scan.scan());
    });
}

void FoundController::show()
{
    if (!m_dialog)
        make();
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void FoundController::hold()
{
    if (m_dialog)
        m_dialog->hold();
}

void FoundController::release()
{
    if (m_dialog)
        m_dialog->release();
}

void FoundController::make()
{
    m_dialog = new FoundDialog(&m_window);
    connect(m_dialog, &FoundDialog::projectionWanted, this, [this](int projection) {
        m_layout.showSlices();
        m_layout.showRecorded();
        m_results.recorded->play(false);
        m_results.recorded->setProjection(projection);
    });
    connect(m_dialog, &FoundDialog::sinogramWanted, this, [this](int row) {
        m_layout.showSlices();
        m_layout.showRecorded();
        if (m_scan.scan() && std::holds_alternative<engine::ParallelBeam>(m_scan.scan()->geometry))
            m_results.sliceBar->setSlice(row);
    });
    connect(m_dialog, &FoundDialog::correctionWanted, this, &FoundController::correct);
    m_dialog->setScan(m_scan.scan());
    if (!m_isBusy())
        m_dialog->release();
}

void FoundController::correct(const QString& option)
{
    const std::shared_ptr<const engine::Scan>& scan = m_scan.scan();
    const engine::OpenOptions& openedWith = m_scan.opened().openedWith;
    if (!scan)
        return;
    m_window.activateWindow();
    if ((option == QLatin1String("data") || option == QLatin1String("data-key")) && !openedWith.raw &&
        engine::hasDataSets(scan->path))
        m_remedies.chooseDataSets(QString::fromStdString(scan->path), openedWith);
    else if (option == QLatin1String("axis"))
        m_inputs.settings->findChild<AxisEdit*>()->findChild<QAbstractSpinBox*>()->setFocus();
    else if (option == QLatin1String("geometry") && std::holds_alternative<engine::ConeBeam>(scan->geometry))
        m_inputs.settings->geometry().setFocus();
    else if (option == QLatin1String("values"))
        m_inputs.scanBar->focusQuantity();
    else {
        m_inputs.reading->comeForward();
        m_inputs.reading->setFocus();
    }
}

} // namespace ui
