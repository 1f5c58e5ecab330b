// What MainWindow does with what was found of a scan: the table and its pictures, what is empty, what is too large.
#include "engine/scan/empty_projections.h"
#include "engine/volume/fitting_alternatives.h"
#include "ui/opening/found_dialog.h"
#include "ui/settings/axis_edit.h"
#include "ui/widgets/without_flags.h"
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

// Once for each scan; the scan bar goes on saying it.
void MainWindow::Impl::warnOfEmpty(const engine::Reconstruction& made)
{
    if (made.emptyProjections.empty() || warnedOf == scan)
        return;
    warnedOf = scan;
    engine::Reduction reduction = openedWith.reduction;
    reduction.leftOut = engine::leftOutWith(*scan, made.emptyProjections);
    const QString text = withoutFlags(QString::fromStdString(engine::emptyText(*scan, made.emptyProjections)));
    if (text.isEmpty())
        return;
    const bool isAll = static_cast<int>(made.emptyProjections.size()) == scan->projections();
    if (scan->path.empty() || isAll)
        messages->showHint(text, {}, {});
    else
        messages->showHint(text, tr("Leave them out"), [this, reduction] {
            takeFit({.option = {}, .label = {}, .takes = {}, .reduction = reduction});
        });
}

// What would not fit into memory is not begun: the mildest that does is offered.
bool MainWindow::Impl::isTooLarge(const engine::Request& request)
{
    const std::optional<std::string> objection = engine::memoryObjection(request);
    if (!objection)
        return false;
    const std::vector<engine::Fit> fits = engine::fitsForSlices(request);
    QString text = tr("A slice of this scan doesn't fit into memory: %1.").arg(QString::fromStdString(*objection));
    for (const engine::Fit& fit : fits)
        text += tr("\n%1: %2.").arg(tr(fit.label.c_str()), QString::fromStdString(fit.takes));
    if (fits.empty())
        messages->showError(text);
    else
        messages->showError(text, tr(fits.front().label.c_str()), [this, fit = fits.front()] { takeFit(fit); });
    job.cancel();
    speed->setBusy(false);
    images->showStopped(tr("Not computed: see the message."), isOutdated());
    emit window->failed(text);
    if (!window->busy())
        emit window->settled();
    return true;
}

} // namespace ui
