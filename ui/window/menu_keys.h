// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of menus that fields would take for themselves.
#pragma once

#include <QObject>

class QMainWindow;

namespace ui
{

class Actions;

// Watches the keys of the whole program, of which only those in a field of the window matter. A child of the actions.
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
