// SPDX-License-Identifier: GPL-3.0-or-later
// Saves what is shown: images, profiles, volumes and reports, in the background where it takes time.
#pragma once

#include "ui/background/background_task.h"
#include "ui/saving/export.h"
#include "ui/saving/save_volume_dialog.h"
#include "ui/window/panels.h"
#include "ui/window/saved_notice.h"

#include <QObject>

#include <functional>

namespace ui
{

class MessageBar;
class OpeningController;
class ReconstructionController;
class ScanController;

// Everything that is handed over outlives this object.
class SavingController : public QObject
{
    Q_OBJECT
  public:
    SavingController(QWidget& window, const InputPanels& inputs, const ResultPanels& results, MessageBar& messages,
                     const ScanController& scan, OpeningController& opening, ReconstructionController& reconstruction);

    bool busy() const { return m_task.busy(); }
    void cancel() { m_task.cancel(); }
    const QString& folder() const { return m_folder; }
    const VolumeChoice& volumeChoice() const { return m_volumeChoice; }

    void askAndSave(Save what);
    void askAgain(); // for the volume, where the scan had to be read in another way first; nothing is under way
    void copyCommandLine();

    // Without asking; an existing file is replaced, a volume only where it allows that.
    void saveImage(const QString& path);
    void saveDifference(const QString& path);
    void saveProfile(const QString& path);
    void saveReport(const QString& path);
    void saveVolume(const engine::VolumeOutput& output);

    void restoreState(const QSettings& settings);
    void saveState(QSettings& settings) const;

  signals:
    void saved(const QString& path);
    void sessionWanted(const QString& path); // to be saved
    void recipeWanted(const QString& path);  // likewise
    void queueWanted(const engine::VolumeOutput& output);
    void ended(); // done, failed or cancelled

  private:
    void askAndSaveVolume();
    void saveVolume(const engine::VolumeOutput& output, const engine::Place& place);
    bool isPreviewOnly(); // and reports it: a coarse preview isn't saved as the image
    void saveInBackground(const QString& path, const QString& what, BackgroundTask::Work work,
                          const std::function<SavedNotice()>& notice = {});

    QWidget& m_window;
    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    const ScanController& m_scan;
    OpeningController& m_opening;
    ReconstructionController& m_reconstruction;
    QString m_folder;            // where the last file went
    VolumeChoice m_volumeChoice; // how the last volume was stored
    bool m_asksAgain = false;    // for the volume, when the scan is shown that was read in another way
    BackgroundTask m_task;       // last, so that it goes first: it cancels and waits
};

} // namespace ui
