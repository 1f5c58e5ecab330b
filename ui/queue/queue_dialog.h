// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog for the queue of volumes: scan, recipe, output and state of each volume, in an order that the user can
// change.
#pragma once

#include "ui/queue/volume_queue.h"

#include <QDialog>

#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace ui
{

// Returns the numbers of volumes that are done, failed or skipped, such as "2 done · 1 doubtful"; empty if there are
// none.
QString endText(const VolumeQueue& queue);

class QueueDialog : public QDialog
{
    Q_OBJECT
  public:
    // Creates an entry for a scan with the settings of the window, used while no recipe is chosen.
    using AsWindow = std::function<engine::QueuedVolume(const QString& scan)>;
    QueueDialog(VolumeQueue& queue, AsWindow asWindow, const QString& folder, QWidget* parent);

    void addScans(const QStringList& scans); // with the chosen recipe and folder; shows which scans can't be added
    void chooseRecipe(const QString& path);  // empty: settings of the window
    QString folder() const;

  private:
    // How to undo a change of the list: the item goes back to its place.
    struct Change {
        QString id;
        int place = 0;
        std::optional<QueueItem> removed = {}; // empty: it was moved
    };

    QWidget* makeWhat(const QString& folder);
    QWidget* makeActs();
    void askForScans();
    void askForRecipe();
    void move(int places);
    void remove();
    void undo();
    void openResult(int place);
    void showItems();
    void showProgress();
    void fitRows(); // makes rows high enough for reasons of failures and doubts
    void offer();   // enables the buttons that apply to the chosen volume
    int chosen() const;
    void say(const QString& problem);

    VolumeQueue& m_queue;
    AsWindow m_asWindow;
    QString m_recipe;
    QLineEdit *m_recipeText, *m_folder;
    QTableWidget* m_table;
    QLabel *m_state, *m_problem;
    QPushButton *m_up, *m_down, *m_remove, *m_undo, *m_skip, *m_run;
    std::vector<Change> m_changes; // the last one first undone
};

} // namespace ui
