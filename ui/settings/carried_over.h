// SPDX-License-Identifier: GPL-3.0-or-later
// A notice about options that were carried over from the previous scan and differ from their defaults, with a button to
// reset them, and about those that were not carried over, or that the scan or the device doesn't support.
#pragma once

#include "engine/compare/setting_list.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QToolButton;

namespace ui
{

class CarriedOver : public QWidget
{
    Q_OBJECT
  public:
    explicit CarriedOver(QWidget* parent = nullptr);

    // notKept: a line for each reason, shown below the options of the list that differ from their defaults.
    void showCarried(const engine::SettingList& list, const QStringList& notKept);
    // replaced: the options that the chosen device doesn't support, see replacementsText().
    void showReplaced(const QString& replaced);

  signals:
    void resetRequested();

  private:
    void show(const QStringList& lines, bool canReset);

    QLabel* m_text;
    QToolButton* m_reset;
};

} // namespace ui
