// SPDX-License-Identifier: GPL-3.0-or-later
// What of the last scan's settings isn't the default and is used for this one, and a way back.
#pragma once

#include "engine/compare/setting_list.h"

#include <QWidget>

class QLabel;

namespace ui
{

class CarriedOver : public QWidget
{
    Q_OBJECT
  public:
    explicit CarriedOver(QWidget* parent = nullptr);

    // Visible where they are carried over and something isn't the default.
    void show(const engine::SettingList& list, bool areCarried);

  signals:
    void resetRequested();

  private:
    QLabel* m_text;
};

} // namespace ui
