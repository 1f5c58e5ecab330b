// SPDX-License-Identifier: GPL-3.0-or-later
// An event filter for shortcuts of menus that fields would otherwise handle.
#pragma once

#include <QObject>

class QMainWindow;

namespace ui
{

// Filters the keys of the whole program, but acts only on fields of the window. A child of the window.
class MenuKeys : public QObject
{
    Q_OBJECT
  public:
    explicit MenuKeys(QMainWindow& window);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    const QMainWindow& m_window;
};

} // namespace ui
