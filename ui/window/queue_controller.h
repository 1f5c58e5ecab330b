// SPDX-License-Identifier: GPL-3.0-or-later
// The controller of the queue of volumes, and of the recipes for it.
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

// Everything passed to the constructor outlives this object.
class QueueController : public QObject
{
    Q_OBJECT
  public:
    QueueController(QWidget& window, const PersistentState& state, SettingsPanel& settings, MessageBar& messages,
                    const ScanController& scan, OpeningController& opening, const SavingController& saving);

    VolumeQueue& queue() { return m_queue; }
    void show();
    void offer(); // reports volumes left in the queue, when the program starts and again when a scan is opened
    void enqueue(const engine::VolumeOutput& output); // a volume of the open scan

    // Saves the chosen setting. plane: its text in the recipe; empty: none.
    void saveRecipe(const QString& path, const std::string& plane = {});
    void openRecipe(const QString& path); // adds it as a setting; reopens the scan if the recipe requires it

  signals:
    void saved(const QString& path);
    void planeOpened(const std::string& plane); // of a recipe, whose setting is added; its text

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
    QueueDialog* m_dialog = nullptr; // created when first needed; owned by the window
    bool m_isOffered = false;
    VolumeQueue m_queue; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
