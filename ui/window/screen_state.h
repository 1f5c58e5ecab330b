// SPDX-License-Identifier: GPL-3.0-or-later
// The window's geometry, splitter and folds, kept for each set of screens: a laptop and the same laptop at a large
// monitor have their own.
#pragma once

#include <QList>
#include <QObject>
#include <QRect>
#include <QTimer>

class QMainWindow;
class QSettings;

namespace ui
{

class Actions;
class WindowLayout;

struct ConnectedScreen {
    QString name;
    QSize size;
};

// Identifies a set of screens in the settings: the same in any order.
QString screensKey(const QList<ConnectedScreen>& screens);

// Returns where a window with this frame is shown: unchanged if its title bar can be reached on one of the screens,
// else on the first one, made smaller if necessary.
QRect placedOn(const QRect& frame, const QList<QRect>& screens);

// Everything passed to the constructor outlives this object.
class ScreenState : public QObject
{
    Q_OBJECT
  public:
    ScreenState(QMainWindow& window, WindowLayout& layout, Actions& actions);

    // Restores the state, or that of a first start, and follows the screens from now on.
    void keepIn(QSettings& stored);
    void save(); // does nothing before keepIn()

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool restore();   // false: nothing is stored for these screens
    void saveFolds(); // with the splitter
    void fitScreen();
    void comeIntoView();
    void follow();

    QMainWindow& m_window;
    WindowLayout& m_layout;
    Actions& m_actions;
    QSettings* m_stored = nullptr;
    QString m_key;            // of the screens that the state belongs to
    QTimer m_still, m_others; // since the window was moved; since screens were connected or removed
};

} // namespace ui
