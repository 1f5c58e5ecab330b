// SPDX-License-Identifier: GPL-3.0-or-later
// A notice about options that were carried over from the previous scan and differ from their defaults, or that the new
// scan doesn't support, with a button to reset them.
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

    // replaced: which options the scan doesn't support, see replacementsText(). Visible if the settings are carried
    // over and an option differs from its default or was replaced.
    void show(const engine::SettingList& list, const QString& replaced, bool areCarried);

  signals:
    void resetRequested();

  private:
    QLabel* m_text;
};

} // namespace ui
