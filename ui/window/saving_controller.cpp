// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/saving_controller.h"

#include "engine/base/error.h"
#include "engine/documents/queued_volume.h"
#include "engine/documents/repeat_command.h"
#include "engine/documents/report.h"
#include "engine/request/section.h"
#include "engine/volume/volume_needs.h"
#include "ui/background/scan_names.h"
#include "ui/background/volume_preview.h"
#include "ui/image/image_panel.h"
#include "ui/numbers/number_tabs.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"
#include "ui/profile/profile_panel.h"
#include "ui/recorded/recorded_panel.h"
#include "ui/report/report_formats.h"
#include "ui/report/session_report.h"
#include "ui/settings/settings_panel.h"
#include "ui/views/views.h"
#include "ui/volume/volume_panel.h"
#include "ui/window/message_bar.h"
#include "ui/window/opening_controller.h"
#include "ui/window/reconstruction_controller.h"
#include "ui/window/session_panels.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QUrl>

#include <memory>
#include <utility>

namespace ui
{

SavingController::SavingController(QWidget& window, const InputPanels& inputs, const ResultPanels& results,
                                   MessageBar& messages, const ScanController& scan, OpeningController& opening,
                                   ReconstructionController& reconstruction)
    : m_window(window), m_inputs(inputs), m_results(results), m_messages(messages), m_scan(scan), m_opening(opening),
      m_reconstruction(reconstruction), m_folder(QDir::currentPath())
{
    connect(&m_task, &BackgroundTask::succeeded, this, &SavingController::ended);
    connect(m_results.volume, &VolumePanel::saved, this,
            [this](const QString& path) { useFolder(QFileInfo(path).absolutePath()); });
    connect(&m_task, &BackgroundTask::cancelled, this, &SavingController::showCancelled);
    connect(&m_task, &BackgroundTask::failed, this, &SavingController::showFailure);
}

bool SavingController::mayStop(bool quits)
{
    QMessageBox box(QMessageBox::Question, tr("Still saving"),
                    (quits ? tr("Sinoscope is still saving %1. Quit?") : tr("Stop saving %1?")).arg(m_doing),
                    QMessageBox::NoButton, &m_window);
    box.setObjectName(QStringLiteral("stillSaving"));
    const QPushButton* keep = nullptr;
    if (m_volume && m_volume->canContinue()) {
        keep = box.addButton(quits ? tr("&Keep the finished slices and quit") : tr("&Keep the finished slices"),
                             QMessageBox::AcceptRole);
        box.setInformativeText(tr("If the finished slices are kept, saving the volume again under the same name "
                                  "continues it."));
    }
    const QPushButton* discard =
        box.addButton(quits ? tr("&Discard and quit") : tr("&Discard"), QMessageBox::DestructiveRole);
    QPushButton* goOn = box.addButton(quits ? tr("Keep &saving") : tr("&Go on"), QMessageBox::RejectRole);
    box.setDefaultButton(goOn);
    box.setEscapeButton(goOn);
    bool isSaved = false; // meanwhile: then there is nothing to ask any more; a failure keeps the window open
    connect(this, &SavingController::saved, &box, [&isSaved] { isSaved = true; });
    connect(this, &SavingController::ended, &box, &QMessageBox::accept);
    box.exec();
    const QAbstractButton* clicked = box.clickedButton();
    if (m_volume)
        m_volume->keepSlices(clicked != discard);
    return (clicked && clicked == keep) || clicked == discard || isSaved;
}

void SavingController::askToCancel()
{
    if (!m_volume || mayStop(false))
        m_task.cancel();
}

void SavingController::showCancelled()
{
    emit ended();
    if (m_volume && m_volume->hasSlices()) {
        m_messages.showHint(tr("Cancelled; the finished slices are kept.") + m_volume->warnings(), {}, {});
        return offerToSaveAgain(tr("Continue"), true);
    }
    const QString warnings = m_volume ? m_volume->warnings() : QString();
    if (warnings.isEmpty())
        m_messages.showInformation(tr("Cancelled; nothing was left behind."));
    else
        m_messages.showHint(tr("Cancelled.") + warnings, {}, {});
}

void SavingController::showFailure(const QString& message)
{
    emit ended();
    m_messages.fail(message + (m_volume ? m_volume->warnings() : QString()));
    if (m_volume && m_volume->isOther())
        offerToSaveAgain(tr("Reconstruct all slices"), false);
}

void SavingController::offerToSaveAgain(const QString& action, bool resumes)
{
    engine::VolumeOutput output = m_volume->output();
    output.resumes = resumes;
    m_messages.addAction(action, [this, last = m_volume, output] {
        saveVolume(std::make_shared<SavedVolume>(last->request(), last->opened(), output));
    });
}

void SavingController::restoreState(const QSettings& settings)
{
    const QString folder = settings.value(QStringLiteral("saveFolder")).toString();
    if (QFileInfo(folder).isDir())
        useFolder(folder);
    m_volumeChoice = VolumeChoice::restored(settings);
}

void SavingController::useFolder(const QString& folder)
{
    m_folder = folder;
    m_results.volume->setFolder(folder);
}

// The next dialog proposes the folder of a file that the user has named, unless nothing can be written there.
void SavingController::rememberFolderOf(const QString& path)
{
    const QString folder = QFileInfo(path).absolutePath();
    if (QFileInfo(folder).isWritable())
        useFolder(folder);
}

void SavingController::saveState(QSettings& settings) const
{
    settings.setValue(QStringLiteral("saveFolder"), m_folder);
    m_volumeChoice.save(settings);
}

void SavingController::askAndSave(Save what)
{
    const Comparison& shown = m_reconstruction.shown();
    if (!shown.hasResult())
        return m_messages.fail(tr("There is nothing to save yet; open a scan first."));
    if (what == Save::volume)
        return askAndSaveVolume();
    if (m_results.planes->isVisible()) {
        if (what == Save::image)
            return askAndSavePlane();
        if (what == Save::figure)
            return askAndSavePlanesFigure();
        if (what == Save::difference || what == Save::plot)
            return m_messages.fail(tr("The page Planes can save figures, the image of a plane and its profile. For the "
                                      "difference and plots of the slice, go to the page Slice."));
        if (what == Save::profile && !m_results.planes->profile())
            return m_messages.fail(tr("To save a profile of plane %1, open the tab with its profile first.")
                                       .arg(planeName(m_results.planes->chosen())));
    }
    if (what == Save::recipe)
        return askAndSaveRecipe();
    const bool isInSpace = m_results.volume->isVisible();
    if (what == Save::figure || (what == Save::image && isInSpace)) // the image in front
        return isInSpace ? askAndSavePicture() : askAndSaveImages();
    if (what == Save::plot) {
        const DrawnPage* page = m_results.numbers->drawnPage();
        return askAndSaveFigure({{{QString(), page ? page->drawing() : Drawing()}}});
    }
    const bool isOfPlane = what == Save::profile && m_results.planes->isVisible();
    const QString path = askForFile(&m_window, what, isOfPlane ? planeFileName() : suggestedName(what), m_folder);
    if (path.isEmpty())
        return;
    rememberFolderOf(path);
    if (what == Save::image)
        saveImage(path);
    else if (what == Save::difference)
        saveDifference(path);
    else if (what == Save::session)
        emit sessionWanted(path);
    else if (what == Save::report)
        saveReport(path);
    else
        saveProfile(path);
}

// Returns "tooth_slice_00012_cpu_linear": the scan, the slice, and the settings that the file shows.
QString SavingController::suggestedName(Save what) const
{
    const Comparison& shown = m_reconstruction.shown();
    QStringList parts{what == Save::session || what == Save::recipe ? nameOf(*m_scan.scan())
                                                                    : defaultName(*m_scan.scan(), shown.slice)};
    if (what == Save::image || what == Save::difference || what == Save::figure)
        parts << forFileName(shown.compared.size() > 1 ? shown.a().label() : shown.a().title());
    if (what == Save::difference)
        parts << forFileName(shown.referenceName());
    return parts.join(u'_');
}

// Returns "tooth_plane_x"; the position is in the file.
QString SavingController::planeFileName() const
{
    return nameOf(*m_scan.scan()) + QStringLiteral("_plane_") + planeName(m_results.planes->chosen());
}

bool SavingController::isPlaneMissing(const Image& plane)
{
    if (plane && plane->request.place.previewStep == 1 && plane->request.scan == m_scan.scan())
        return false;
    m_messages.fail(tr("The plane isn't ready yet; wait for its full image."));
    return true;
}

// On the page Planes, the recipe can hold the chosen plane.
void SavingController::askAndSaveRecipe()
{
    const PlanesPanel& panel = *m_results.planes;
    const LinkedPlanes& planes = panel.planes();
    const RecipeFile file = askForRecipe(&m_window, suggestedName(Save::recipe), m_folder,
                                         panel.isVisible() ? planeTitle(planes, panel.chosen()) : QString());
    if (file.path.isEmpty())
        return;
    rememberFolderOf(file.path);
    emit recipeWanted(file.path, file.hasPlane ? engine::textForVolumes(planes.plane(panel.chosen()), planes.volume)
                                               : std::string());
}

void SavingController::askAndSavePlane()
{
    const PlaneCell& cell = m_results.planes->cell(m_results.planes->chosen());
    const Image image = cell.image();
    if (isPlaneMissing(image))
        return;
    const QString path = askForFile(&m_window, Save::image, planeFileName(), m_folder);
    if (path.isEmpty())
        return;
    rememberFolderOf(path);
    saveInBackground(path, tr("the plane"),
                     imageWriter(path, planeOf(image, 0, {}), cell.rendered(), m_scan.inputFiles(), image->unit,
                                 engine::sliceFacts(*image, 0, m_scan.opened().openedWith)));
}

void SavingController::askAndSavePlanesFigure()
{
    for (const int plane : {2, 0, 1}) // as on screen
        if (isPlaneMissing(m_results.planes->cell(plane).image()))
            return;
    askAndSaveFigure(figuresOfPlanes(*m_results.planes));
}

void SavingController::askAndSavePicture()
{
    const QImage picture = m_results.volume->picture(2 * m_results.volume->size());
    askAndSaveFigure({{{QString(), drawingOf(QStringLiteral("3d"), picture)}}});
}

void SavingController::askAndSaveImages()
{
    FigureChoices choices = figuresOfImages(*m_results.images, m_reconstruction.shown());
    if (m_figureView == m_results.images->view().text()) // the choice that was made for the same view
        if (const auto same = std::ranges::find(choices.all, m_figureImages, &FigureChoice::label);
            same != choices.all.end())
            choices.chosen = static_cast<std::size_t>(same - choices.all.begin());
    askAndSaveFigure(choices);
}

void SavingController::askAndSaveFigure(const FigureChoices& choices)
{
    if (isPreviewOnly())
        return;
    if (choices.all.empty() || !choices.all[choices.chosen].drawing)
        return m_messages.fail(
            tr("There is nothing to draw on this page yet; turn to an image, the profile or another plot."));
    FigureDialog dialog(choices.all, choices.chosen, m_figureLook, &m_window);
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_figureLook = dialog.look();
    m_figureView = m_results.images->view().text();
    m_figureImages = dialog.choice().label;
    const Drawing& drawing = dialog.choice().drawing;
    const QString& settings = dialog.choice().settings;
    const QString name = m_results.planes->isVisible() ? nameOf(*m_scan.scan())
                         : settings.isEmpty()          ? suggestedName(Save::figure)
                                              : defaultName(*m_scan.scan(), m_reconstruction.shown().slice) + u'_' +
                                                    forFileName(settings);
    const QString path = askForFile(&m_window, Save::figure, name + u'_' + drawing.name, m_folder);
    if (path.isEmpty())
        return;
    rememberFolderOf(path);
    saveFigure(path, drawing, m_figureLook);
}

void SavingController::askAndSaveVolume()
{
    engine::Request request;
    try {
        request = wholeOf(m_inputs.settings->request(0));
    } catch (...) {
        return m_messages.fail(messageOfCurrentException());
    }
    const engine::Scan& scan = *request.scan;
    const Compared& a = m_reconstruction.shown().a();
    const engine::VolumeGrid grid = engine::sectionOf(request).grid;
    engine::VolumeRates rates;
    if (!a.isPreview())
        engine::setRates(rates, *a.result);
    // The first run, which made the image, is often slower than later ones.
    if (const Speeds runs = m_results.numbers->tried().speeds(a); runs.totalSeconds.count > 1)
        rates.computeSeconds = runs.totalSeconds.median / std::max(1, a.result->grid.slices);
    SaveVolumeDialog dialog({.name = nameOf(scan) + QStringLiteral("_reconstruction"),
                             .slices = scan.slices(),
                             .height = grid.height,
                             .width = grid.width,
                             .unit = QString::fromStdString(a.result->unit),
                             .request = request,
                             .rates = rates,
                             .regions = regionsOf(m_results.images->marks(), scan.sliceSize()),
                             .markedSlices = m_results.recorded->markedSlices(),
                             .setting = m_reconstruction.shown().compared.size() > 1 ? a.label() : QString()},
                            m_folder, m_volumeChoice, &m_window);
    if (dialog.exec() != QDialog::Accepted) {
        if (dialog.wantedFit())
            m_opening.reopenToFit(*dialog.wantedFit(), [this] { m_asksAgain = true; });
        return;
    }
    m_volumeChoice = dialog.choice();
    useFolder(dialog.folder());
    if (dialog.isForQueue())
        emit queueWanted(dialog.output());
    else
        saveVolume(dialog.output(), dialog.place());
}

void SavingController::askAgain()
{
    if (std::exchange(m_asksAgain, false) && m_reconstruction.shown().hasResult())
        askAndSaveVolume();
}

void SavingController::saveInBackground(const QString& path, const QString& what, BackgroundTask::Work work,
                                        const std::function<SavedNotice()>& notice,
                                        const std::shared_ptr<SavedVolume>& volume)
{
    if (m_task.busy())
        return m_messages.fail(tr("Something is being saved already; wait for it, or cancel it."));
    m_volume = volume;
    m_reconstruction.speeds().stop();
    m_doing = tr("%1 to %2").arg(what, QDir::toNativeSeparators(path));
    m_messages.showProgress(m_task, tr("Saving %1").arg(m_doing), [this] { askToCancel(); });
    m_task.start(std::move(work), [this, path, notice] {
        const SavedNotice more = notice ? notice() : SavedNotice{};
        const QString text = tr("Saved %1").arg(QDir::toNativeSeparators(path)) + more.text;
        if (more.warns)
            m_messages.showHint(text, {}, {});
        else if (notice)
            m_messages.showSuccess(text, more.action, more.act);
        else
            m_messages.showInformation(text);
        emit saved(path);
    });
}

bool SavingController::isPreviewOnly()
{
    if (!m_reconstruction.shown().a().isPreview())
        return false;
    m_messages.fail(tr("Only a coarse preview is there yet, which isn't saved; wait for the image, or press F5."));
    return true;
}

void SavingController::saveImage(const QString& path)
{
    if (isPreviewOnly())
        return;
    const Comparison& shown = m_reconstruction.shown();
    const QImage rendered = m_results.images->rendered(ImagePanel::Content::a);
    const engine::Reconstruction& made = *shown.a().result;
    saveInBackground(path, tr("the image"),
                     imageWriter(path, shown.planeA(), rendered, m_scan.inputFiles(), made.unit,
                                 engine::sliceFacts(made, shown.slice, m_scan.opened().openedWith)));
}

void SavingController::saveDifference(const QString& path)
{
    if (isPreviewOnly())
        return;
    const Comparison& shown = m_reconstruction.shown();
    if (!shown.planeA() || !shown.planeB())
        return m_messages.fail(tr("There is no difference to save yet; wait for image B."));
    const QImage rendered = m_results.images->rendered(ImagePanel::Content::difference);
    saveInBackground(path, tr("the difference"),
                     differenceWriter(path, shown.planeA(), shown.planeB(), rendered, m_scan.inputFiles()));
}

void SavingController::saveProfile(const QString& path)
{
    const ProfilePanel* ofPlane = m_results.planes->isVisible() ? m_results.planes->profile() : nullptr;
    if (!ofPlane && isPreviewOnly())
        return;
    const ProfilePanel& profile = ofPlane ? *ofPlane : *m_results.profile;
    if (!path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive))
        return saveFigure(path, profile.drawing(), m_figureLook);
    try {
        m_scan.inputFiles().refuse(path.toStdString());
        profile.saveCsv(path);
        m_messages.showInformation(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
        emit saved(path);
    } catch (...) {
        m_messages.fail(messageOfCurrentException());
    }
}

void SavingController::saveFigure(const QString& path, const Drawing& drawing, const DrawingLook& look)
{
    try {
        m_scan.inputFiles().refuse(path.toStdString());
        writeDrawing(path, drawing, look);
        m_messages.showInformation(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
        emit saved(path);
    } catch (...) {
        m_messages.fail(messageOfCurrentException());
    }
}

void SavingController::saveReport(const QString& path)
{
    const ReportFormat* format = reportFormatOf(path);
    if (!format)
        return m_messages.fail(
            tr("Unknown report format “%1”; use %2.").arg(QDir::toNativeSeparators(path), reportSuffixes()));
    if (!m_reconstruction.shown().hasResult() || m_opening.busy() || m_reconstruction.busy())
        return m_messages.fail(tr("Not everything is computed yet; wait for it, then save the report again."));
    try {
        const engine::Session session = sessionOf(m_scan.opened(), m_inputs, m_results);
        SessionResults results =
            resultsOf(session, m_scan.scan(), m_reconstruction.shown(), m_results.numbers->tried());
        const SessionDrawings drawings = format->isPage ? drawingsOf(results) : SessionDrawings{};
        saveInBackground(
            path, tr("the report"),
            [path, results, drawings](std::stop_token stop, const BackgroundTask::Progress& progress) mutable {
                writeSessionReport(path, std::move(results), drawings, true, progress, stop);
            },
            [path]() -> SavedNotice {
                return {{}, false, tr("Open it"), [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }};
            });
    } catch (...) {
        m_messages.fail(messageOfCurrentException());
    }
}

void SavingController::saveVolume(const engine::VolumeOutput& output)
{
    saveVolume(output, wholeOf(m_inputs.settings->request(0)).place);
}

void SavingController::saveVolume(const engine::VolumeOutput& output, const engine::Place& place)
{
    engine::VolumeOutput named = output;
    named.name = nameOf(*m_scan.scan()).toStdString();
    named.resumes = engine::canResume(named);
    saveVolume(
        std::make_shared<SavedVolume>(partOf(m_inputs.settings->request(0), place), m_scan.opened().openedWith, named));
}

void SavingController::saveVolume(const std::shared_ptr<SavedVolume>& volume)
{
    emit volumeStarts();
    saveInBackground(
        QString::fromStdString(volume->output().path.string()), tr("the volume"),
        [volume](std::stop_token stop, const BackgroundTask::Progress& progress) { volume->write(stop, progress); },
        [volume] { return volume->notice(); }, volume);
}

void SavingController::copyCommandLine()
{
    const Comparison& shown = m_reconstruction.shown();
    if (!shown.hasResult())
        return m_messages.fail(tr("There is nothing to repeat yet; open a scan first."));
    const OpenedScan& opened = m_scan.opened();
    const bool isPlane = m_results.planes->isVisible();
    const Image image = isPlane ? m_results.planes->cell(m_results.planes->chosen()).image() : shown.a().result;
    if (isPlane && isPlaneMissing(image))
        return;
    const QString name = isPlane ? planeFileName() : defaultName(*opened.scan, shown.slice);
    const QString command =
        QString::fromStdString(engine::repeatCommand(*image, opened.openedWith, opened.simulation, name.toStdString()));
    QGuiApplication::clipboard()->setText(command);
    m_messages.showInformation(tr("Copied: %1").arg(command));
}

} // namespace ui
