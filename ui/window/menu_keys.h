// SPDX-License-Identifier: GPL-3.0-or-later
// An event filter for shortcuts of menus that fields would otherwise handle.
#pragma once

#include <QObject>

class QMainWindow;

namespace ui
{

class Actions;

// Filters the keys of the whole program, but acts only on fields of the window. A child of the actions.
class MenuKeys : public QObject
{
    Q_OBJECT
  public:
    MenuKeys(const QMainWindow& window, Actions& actions);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    const QMainWindow& m_window;
    const Actions& m_actions;
};

} // namespace ui
