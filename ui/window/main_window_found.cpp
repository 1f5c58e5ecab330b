// What MainWindow does with what was found of a scan: the table and its pictures.
#include "engine/volume/fitting_alternatives.h"
#include "ui/opening/found_dialog.h"
#include "ui/settings/axis_edit.h"
#include "ui/window/main_window_impl.h"

#include <QAbstractSpinBox>

namespace ui
{

void MainWindow::showFound()
{
    m_impl->showFound();
}

void MainWindow::Impl::showFound()
{
    if (!foundDialog) {
        foundDialog = new FoundDialog(window);
        const auto besideTheSlice = [this] {
            layout.showSlices();
            layout.showRecorded();
        };
        connect(foundDialog, &FoundDialog::projectionWanted, window, [this, besideTheSlice](int projection) {
            besideTheSlice();
            recorded->play(false);
            recorded->setProjection(projection);
        });
        connect(foundDialog, &FoundDialog::sinogramWanted, window, [this, besideTheSlice](int row) {
            besideTheSlice();
            if (scan && std::holds_alternative<engine::ParallelBeam>(scan->geometry))
                window->setSlice(row);
        });
        connect(foundDialog, &FoundDialog::correctionWanted, this, &Impl::correct);
        foundDialog->setScan(scan);
        if (!window->busy())
            foundDialog->release();
    }
    foundDialog->show();
    foundDialog->raise();
    foundDialog->activateWindow();
}

// Where the option of the command line is in the window.
void MainWindow::Impl::correct(const QString& option)
{
    if (!scan)
        return;
    window->activateWindow();
    const QString path = QString::fromStdString(scan->path);
    if ((option == QLatin1String("data") || option == QLatin1String("data-key")) && !openedWith.raw &&
        engine::hasDataSets(scan->path))
        chooseDataSets(path, openedWith);
    else if (option == QLatin1String("axis"))
        settings->findChild<AxisEdit*>()->findChild<QAbstractSpinBox*>()->setFocus();
    else if (option == QLatin1String("geometry") && std::holds_alternative<engine::ConeBeam>(scan->geometry))
        settings->geometry().setFocus();
    else if (option == QLatin1String("values"))
        scanBar->focusQuantity();
    else {
        reading->setVisible(true);
        reading->setFocus();
    }
}

void MainWindow::Impl::takeFit(const engine::Fit& fit, std::function<void()> then)
{
    engine::OpenOptions options = openedWith;
    options.reduction = *fit.reduction;
    if (fit.size) {
        options.cone.size = fit.size->first;
        if (engine::takesConeBeam(scan->geometry))
            options.cone.slices = fit.size->second;
    }
    reopen(options, {}, std::move(then));
}

} // namespace ui
