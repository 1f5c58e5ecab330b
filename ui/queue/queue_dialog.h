// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of volumes: what is made of which scan by which recipe, in an order that can be changed.
#pragma once

#include "ui/queue/volume_queue.h"

#include <QDialog>

#include <functional>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace ui
{

// "2 done · 1 failed": what became of those that don't wait; empty where there are none.
QString endText(const VolumeQueue& queue);

class QueueDialog : public QDialog
{
    Q_OBJECT
  public:
    // What scans that are added get while no recipe is chosen: as the window is set.
    using AsWindow = std::function<engine::QueuedVolume(const QString& scan)>;
    QueueDialog(VolumeQueue& queue, AsWindow asWindow, const QString& folder, QWidget* parent);

    void addScans(const QStringList& scans); // by the chosen recipe, into the chosen folder; says what can't be
    void chooseRecipe(const QString& path);  // empty: as the window is set
    QString folder() const;

  private:
    QWidget* makeWhat(const QString& folder);
    QWidget* makeActs();
    void askForScans();
    void askForRecipe();
    void showItems();
    void showProgress();
    void fitRows(); // failed ones are as tall as the cause takes
    void offer();   // what can be done with the chosen one
    int chosen() const;
    void say(const QString& problem);

    VolumeQueue& m_queue;
    AsWindow m_asWindow;
    QString m_recipe;
    QLineEdit *m_recipeText, *m_folder;
    QTableWidget* m_table;
    QLabel *m_state, *m_problem;
    QPushButton *m_up, *m_down, *m_remove, *m_skip, *m_run;
};

} // namespace ui
