// SPDX-License-Identifier: GPL-3.0-or-later
// The controller that saves images, profiles, volumes and reports, in the background if it takes time.
#pragma once

#include "ui/background/background_task.h"
#include "ui/image/figure.h"
#include "ui/saving/export.h"
#include "ui/saving/figure_choices.h"
#include "ui/saving/save_volume_dialog.h"
#include "ui/widgets/drawing.h"
#include "ui/window/panels.h"
#include "ui/window/saved_volume.h"

#include <QObject>

#include <functional>
#include <memory>
#include <vector>

namespace ui
{

class MessageBar;
class OpeningController;
class ReconstructionController;
class ScanController;

// Everything passed to the constructor outlives this object.
class SavingController : public QObject
{
    Q_OBJECT
  public:
    SavingController(QWidget& window, const InputPanels& inputs, const ResultPanels& results, MessageBar& messages,
                     const ScanController& scan, OpeningController& opening, ReconstructionController& reconstruction);

    bool busy() const { return m_task.busy(); }
    QString doing() const { return m_doing; } // "the volume to /data/volume.h5", while it is busy
    void cancel() { m_task.cancel(); }
    // Asks whether what is being saved may be stopped, and what becomes of the finished slices of a volume. quits: the
    // window is to be closed.
    bool mayStop(bool quits);
    const QString& folder() const { return m_folder; }
    const VolumeChoice& volumeChoice() const { return m_volumeChoice; }

    void askAndSave(Save what);
    // Shows the dialog for the volume again after the scan was reopened to make the volume fit. Call it when nothing
    // is running.
    void askAgain();
    void copyCommandLine(); // that repeats the image in front

    // Save without asking. An existing file is replaced, a volume only if `output` allows it.
    void saveImage(const QString& path);
    void saveDifference(const QString& path);
    void saveProfile(const QString& path); // of the page in front
    void saveFigure(const QString& path, const Drawing& drawing, const DrawingLook& look);
    void saveReport(const QString& path);
    void saveVolume(const engine::VolumeOutput& output);

    void restoreState(const QSettings& settings);
    void saveState(QSettings& settings) const;

  signals:
    void saved(const QString& path);
    void sessionWanted(const QString& path); // asks to save the session
    // Asks to save the recipe. plane: its text in the recipe; empty: none.
    void recipeWanted(const QString& path, const std::string& plane);
    void queueWanted(const engine::VolumeOutput& output);
    void volumeStarts(); // which needs memory
    void ended();        // done, failed or cancelled

  private:
    void useFolder(const QString& folder);
    void rememberFolderOf(const QString& path); // for the next dialogs
    void askAndSaveVolume();
    QString suggestedName(Save what) const;
    void askAndSavePicture(); // of 3-D
    void askAndSaveRecipe();
    void askAndSavePlane();
    void askAndSavePlanesFigure();
    bool isPlaneMissing(const Image& plane); // or coarse; also shows a message
    QString planeFileName() const;
    void askAndSaveImages();
    void askAndSaveFigure(const FigureChoices& choices);
    void saveVolume(const engine::VolumeOutput& output, const engine::Place& place);
    void saveVolume(const std::shared_ptr<SavedVolume>& volume);
    void askToCancel();
    void showCancelled();
    void showFailure(const QString& message);
    void offerToSaveAgain(const QString& action, bool resumes); // the last volume
    bool isPreviewOnly();                                       // also shows a message: a coarse preview isn't saved
    void saveInBackground(const QString& path, const QString& what, BackgroundTask::Work work,
                          const std::function<SavedNotice()>& notice = {},
                          const std::shared_ptr<SavedVolume>& volume = {});

    QWidget& m_window;
    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    const ScanController& m_scan;
    OpeningController& m_opening;
    ReconstructionController& m_reconstruction;
    QString m_folder;                      // of the last saved file
    QString m_doing;                       // what is being saved
    std::shared_ptr<SavedVolume> m_volume; // null if what is or was being saved is no volume
    DrawingLook m_figureLook;              // of the last saved figure
    QString m_figureView, m_figureImages;  // the view on screen and the images chosen then; labels
    VolumeChoice m_volumeChoice;           // format of the last saved volume
    bool m_asksAgain = false;              // for the volume, when the reopened scan is shown
    BackgroundTask m_task;                 // declared last: destroyed first, which cancels and waits
};

} // namespace ui
