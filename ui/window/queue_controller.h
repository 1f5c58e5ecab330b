// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of volumes, and recipes, by which its volumes are reconstructed.
#pragma once

#include "engine/documents/recipe.h"
#include "ui/queue/volume_queue.h"

#include <QObject>

#include <string>
#include <vector>

class QWidget;

namespace ui
{

class MessageBar;
class OpeningController;
class PersistentState;
class QueueDialog;
class SavingController;
class ScanController;
class SettingsPanel;

// Everything that is handed over outlives this object.
class QueueController : public QObject
{
    Q_OBJECT
  public:
    QueueController(QWidget& window, const PersistentState& state, SettingsPanel& settings, MessageBar& messages,
                    const ScanController& scan, OpeningController& opening, const SavingController& saving);

    VolumeQueue& queue() { return m_queue; }
    void show();
    void offer(); // what an earlier start has left: when the program starts, and once more where a scan is opened
    void enqueue(const engine::VolumeOutput& output); // a volume of the scan that is open

    void saveRecipe(const QString& path); // of the chosen setting
    void openRecipe(const QString& path); // as another setting; the scan is read again where the recipe asks for it

  signals:
    void saved(const QString& path);

  private:
    engine::Recipe recipeNow(std::vector<std::string>& leftOut) const;
    engine::QueuedVolume queuedAs(const QString& scan) const;
    void announceEnd();

    QWidget& m_window;
    SettingsPanel& m_settings;
    MessageBar& m_messages;
    const ScanController& m_scan;
    OpeningController& m_opening;
    const SavingController& m_saving;
    QueueDialog* m_dialog = nullptr; // created when it is first wanted; the window deletes it
    bool m_isOffered = false;
    VolumeQueue m_queue; // last, so that it goes first: it cancels and waits
};

} // namespace ui
