#include "ui/window/main_window_impl.h"

#include "engine/base/error.h"
#include "engine/documents/report.h"
#include "engine/volume/volume_needs.h"
#include "ui/background/volume_preview.h"
#include "ui/report/repeat_command.h"
#include "ui/report/scan_names.h"
#include "ui/saving/export.h"
#include "ui/saving/save_volume_dialog.h"
#include "ui/widgets/displayed_number.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QFileInfo>
#include <QGuiApplication>

namespace ui
{

namespace
{

// What a coarse preview that is all there is says instead of being saved as the image.
QString previewOnly()
{
    return MainWindow::tr("Only a coarse preview is there yet, which isn't saved; wait for the image, or press F5.");
}

// "12.3 s · writing was the limit: 93 % of the time, 3.1 GB/s"
QString limitOf(const engine::Reconstruction& made, std::size_t bytesPerValue)
{
    const engine::SlowestStage stage = engine::slowestStage(made, bytesPerValue);
    const double elapsed = made.timings.elapsedSeconds;
    return MainWindow::tr("%1 · %2 was the limit: %3 % of the time, %4 G%5/s")
        .arg(secondsText(elapsed), QCoreApplication::translate("engine", stage.name))
        .arg(100 * stage.seconds / elapsed, 0, 'f', 0)
        .arg(gupsText(stage.perSecond / 1e9), QLatin1String(stage.unit));
}

// A line for each of several devices.
QString sharesText(const engine::Reconstruction& made)
{
    QString text;
    if (!made.shares.empty())
        text += u'\n' + MainWindow::tr("%1 GU/s on %n devices together", nullptr, int(made.shares.size()))
                            .arg(gupsText(made.totalGups));
    for (const engine::DeviceShare& share : made.shares) {
        text += u'\n' + MainWindow::tr("%1 · %n slices · %2 GU/s", nullptr, share.slices)
                            .arg(QString::fromStdString(share.device), gupsText(share.totalGups));
        if (!share.failure.empty())
            text += QStringLiteral(" · ") + QString::fromStdString(share.failure);
    }
    return text;
}

} // namespace

// The scan and the file of the reference.
engine::ProtectedInputs MainWindow::Impl::inputs() const
{
    engine::ProtectedInputs inputs = scan ? engine::ProtectedInputs(*scan) : engine::ProtectedInputs();
    inputs.add({settings->list().reference.file.file, "the reference"});
    return inputs;
}

void MainWindow::Impl::askAndSave(Save what)
{
    if (!shown.hasResult())
        return messages->fail(tr("There is nothing to save yet; open a scan first."));
    if (what == Save::volume)
        return askAndSaveVolume();
    const QString path = askForFile(window, what, defaultName(*scan, shown.slice), saveFolder);
    if (path.isEmpty())
        return;
    saveFolder = QFileInfo(path).absolutePath();
    if (what == Save::image)
        window->saveImage(path);
    else if (what == Save::difference)
        window->saveDifference(path);
    else if (what == Save::session)
        window->saveSession(path);
    else if (what == Save::recipe)
        window->saveRecipe(path);
    else if (what == Save::report)
        window->saveReport(path);
    else
        window->saveProfile(path);
}

void MainWindow::Impl::askAndSaveVolume()
{
    engine::Request request;
    try {
        request = wholeOf(settings->request(0));
    } catch (...) {
        return messages->fail(messageOfCurrentException());
    }
    const engine::VolumeGrid grid = engine::gridOf(request);
    engine::VolumeRates rates;
    if (!shown.a().isPreview())
        engine::setRates(rates, *shown.a().result);
    SaveVolumeDialog dialog({.name = nameOf(*scan) + QStringLiteral("_reconstruction"),
                             .slices = scan->slices(),
                             .height = grid.height,
                             .width = grid.width,
                             .unit = QString::fromStdString(shown.a().result->unit),
                             .request = request,
                             .rates = rates},
                            saveFolder, volumeChoice, window);
    if (dialog.exec() != QDialog::Accepted) {
        if (dialog.wantedFit()) // and then ask again
            opening.reopenToFit(*dialog.wantedFit(), [this] {
                connect(
                    window, &MainWindow::settled, window,
                    [this] {
                        if (shown.hasResult())
                            askAndSaveVolume();
                    },
                    Qt::SingleShotConnection);
            });
        return;
    }
    volumeChoice = dialog.choice();
    saveFolder = dialog.folder();
    if (dialog.isForQueue())
        enqueue(dialog.output());
    else
        saveVolume(dialog.output(), dialog.place());
}

void MainWindow::Impl::saveInBackground(const QString& path, const QString& what, BackgroundTask::Work work,
                                        std::function<Said()> said)
{
    if (saving.busy())
        return messages->fail(tr("Something is being saved already; wait for it, or cancel it."));
    reconstruction.speeds().stop();
    messages->showProgress(tr("Saving %1 to %2").arg(what, QDir::toNativeSeparators(path)),
                           [this] { saving.cancel(); });
    saving.start(std::move(work), [this, path, said] {
        const Said more = said ? said() : Said{};
        const QString text = tr("Saved %1").arg(QDir::toNativeSeparators(path)) + more.text;
        if (more.act)
            messages->showSuccess(text, more.action, more.act);
        else if (more.stays)
            messages->showHint(text, {}, {});
        else
            messages->showInformation(text);
        emit window->saved(path);
    });
}

void MainWindow::saveImage(const QString& path)
{
    if (m_impl->shown.a().isPreview())
        return m_impl->messages->fail(previewOnly());
    const QImage rendered = m_impl->images->rendered(ImagePanel::Content::a);
    const engine::Reconstruction& made = *m_impl->shown.a().result;
    m_impl->saveInBackground(path, tr("the image"),
                             imageWriter(path, m_impl->shown.planeA(), rendered, m_impl->inputs(), made.unit,
                                         engine::sliceFacts(made, m_impl->shown.slice, m_impl->openedWith)));
}

void MainWindow::saveDifference(const QString& path)
{
    const Comparison& shown = m_impl->shown;
    if (shown.a().isPreview())
        return m_impl->messages->fail(previewOnly());
    if (!shown.planeA() || !shown.planeB())
        return m_impl->messages->fail(tr("There is no difference to save yet; wait for image B."));
    const QImage rendered = m_impl->images->rendered(ImagePanel::Content::difference);
    m_impl->saveInBackground(path, tr("the difference"),
                             differenceWriter(path, shown.planeA(), shown.planeB(), rendered, m_impl->inputs()));
}

void MainWindow::saveProfile(const QString& path)
{
    if (m_impl->shown.a().isPreview())
        return m_impl->messages->fail(previewOnly());
    try {
        m_impl->inputs().refuse(path.toStdString());
        if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive))
            m_impl->profile->saveCsv(path);
        else
            m_impl->profile->saveImage(path);
        m_impl->messages->showInformation(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
        emit saved(path);
    } catch (...) {
        m_impl->messages->fail(messageOfCurrentException());
    }
}

void MainWindow::saveVolume(const engine::VolumeOutput& output)
{
    m_impl->saveVolume(output, wholeOf(m_impl->settings->request(0)).place);
}

void MainWindow::Impl::saveVolume(const engine::VolumeOutput& output, const engine::Place& place)
{
    const auto written = std::make_shared<engine::WrittenVolume>();
    engine::VolumeOutput named = output;
    named.name = nameOf(*scan).toStdString();
    engine::Request request = wholeOf(settings->request(0));
    request.place = place;
    saveInBackground(
        QString::fromStdString(output.path.string()), tr("the volume"),
        [request, opened = openedWith, named, written](std::stop_token stop, const BackgroundTask::Progress& progress) {
            *written = engine::writeVolume(
                request, opened, named, {}, [&progress](double fraction, auto&&...) { progress(fraction); }, stop);
        },
        [written]() -> Said {
            QString text = QStringLiteral(" · ") + limitOf(written->made, written->format.bytesPerValue());
            if (!written->note.text.empty())
                text += QLatin1Char('\n') + QString::fromStdString(written->note.text);
            text += sharesText(written->made);
            const bool hasFailed = std::ranges::any_of(
                written->made.shares, [](const engine::DeviceShare& share) { return !share.failure.empty(); });
            return {text, written->note.isLoss || hasFailed};
        });
}

void MainWindow::Impl::copyCommandLine()
{
    if (!shown.hasResult())
        return messages->fail(tr("There is nothing to repeat yet; open a scan first."));
    const QString command = repeatCommand(*shown.a().result, openedWith, simulation, defaultName(*scan, shown.slice));
    QGuiApplication::clipboard()->setText(command);
    messages->showInformation(tr("Copied: %1").arg(command));
}

} // namespace ui
